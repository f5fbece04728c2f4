// SPDX-License-Identifier: MIT
// Elementary functions on long integers, with the bits of core/scene/values/portable_math.py. The engine asks for the few
// numbers whose last bit its pairs of doubles leave open. NaN: the function has no value there.

export const exact = (() => {
  const BITS = 160n, ONE = 1n << BITS, NEAR_MIDDLE = 66;

  const size = (n) => (n === 0n ? 0 : ((text) => 4 * (text.length - 1) + 32 - Math.clz32(parseInt(text[0], 16)))(n.toString(16)));
  const absolute = (n) => (n < 0n ? -n : n);
  const shifted = (n, by) => (by >= 0 ? n << BigInt(by) : n >> BigInt(-by));
  const divided = (n, d) => {  // rounded down
    const quotient = n / d;
    return n % d !== 0n && n < 0n !== d < 0n ? quotient - 1n : quotient;
  };

  // [m, e] with x = m 2^e and whole m.
  function parts(x) {
    const view = new DataView(new ArrayBuffer(8));
    view.setFloat64(0, x);
    const bits = view.getBigUint64(0), exponent = Number((bits >> 52n) & 0x7ffn), fraction = bits & ((1n << 52n) - 1n);
    const m = exponent ? fraction | (1n << 52n) : fraction;
    return [bits >> 63n ? -m : m, Math.max(exponent, 1) - 1075];
  }

  // The exponent of x = m 2^e with 0.5 <= |m| < 1, and 0 of 0.
  function exponentOf(x) {
    const [m, e] = parts(x);
    return m === 0n ? 0 : size(absolute(m)) + e;
  }

  const fixed = (x, bits = Number(BITS)) => {
    const [m, e] = parts(x);
    return shifted(m, e + bits);
  };

  function root(n) {
    if (n < 2n) return n;
    let x = 1n << BigInt((size(n) + 1) >> 1);
    for (;;) {
      const next = (x + n / x) >> 1n;
      if (next >= x) return x;
      x = next;
    }
  }

  // n / d 2^exponent, rounded once; inf where it is too large.
  function ratio(n, d, exponent = 0) {
    if (exponent >= 0) n <<= BigInt(exponent); else d <<= BigInt(-exponent);
    const sign = n < 0n !== d < 0n ? -1 : 1;
    n = absolute(n);
    d = absolute(d);
    if (n === 0n) return sign * 0;
    const shift = NEAR_MIDDLE - (size(n) - size(d));
    const top = shift >= 0 ? n << BigInt(shift) : n, bottom = shift >= 0 ? d : d << BigInt(-shift);
    const quotient = (top / bottom) | (top % bottom ? 1n : 0n), length = size(quotient);
    const highest = length - 1 - shift;
    if (highest > 1023) return sign * Infinity;
    const precision = highest >= -1022 ? 53 : 53 - (-1022 - highest);
    if (precision < 0) return sign * 0;
    const drop = BigInt(length - precision), half = 1n << (drop - 1n), rest = quotient & ((1n << drop) - 1n);
    let kept = quotient >> drop;
    if (rest > half || (rest === half && kept & 1n)) kept += 1n;
    return sign * Number(kept) * 2 ** (length - precision - shift);
  }

  function kept(work) {
    const known = new Map();
    return (bits) => {
      if (!known.has(bits)) known.set(bits, work(bits));
      return known.get(bits);
    };
  }

  const halfPi = kept((bits) => {
    const inverse = (n) => {
      let term = (1n << (bits + 32n)) / n, total = term, k = 1n;
      while (term) {
        term /= n * n;
        k += 2n;
        total += k & 2n ? -(term / k) : term / k;
      }
      return total;
    };
    return (16n * inverse(5n) - 4n * inverse(239n)) >> 33n;
  });
  const ln2 = kept(() => 2n * atanh(ONE / 3n));

  function atanh(z) {
    if (z < 0n) return -atanh(-z);
    const square = (z * z) >> BITS;
    let total = z, power = z, k = 1n;
    while (power) {
      power = (power * square) >> BITS;
      k += 2n;
      total += power / k;
    }
    return total;
  }

  // [q, r] with x = q pi / 2 + r.
  function reduced(x) {
    const exponent = Math.max(0, exponentOf(x)), bits = BITS + 64n * BigInt(Math.ceil(exponent / 64));
    const long = halfPi(bits + 64n), pi = long >> 64n, value = fixed(x, Number(bits)), quotient = divided(2n * value + pi, 2n * pi);
    if (exponent) return [quotient & 3n, ((value << 64n) - quotient * long) >> (bits + 64n - BITS)];
    return [quotient & 3n, (value - quotient * pi) >> (bits - BITS)];
  }

  function series(r, first, k) {
    const square = (r * r) >> BITS;
    let total = first, term = first;
    while (term) {
      term = divided(-((term * square) >> BITS), (k + 1n) * (k + 2n));
      k += 2n;
      total += term;
      if (-2n < term && term < 2n) break;
    }
    return total;
  }

  function sine(quadrant, r) {
    const total = quadrant & 1n ? series(r, ONE, 0n) : series(r, r, 1n);
    return quadrant & 2n ? -total : total;
  }

  function arctangent(y, x) {
    let z = (y << BITS) / x;
    for (let i = 0; i < 3; i++) z = (z << BITS) / (ONE + root((ONE + ((z * z) >> BITS)) << BITS));
    const square = (z * z) >> BITS;
    let total = z, power = z, k = 1n;
    while (power) {
      power = (power * square) >> BITS;
      k += 2n;
      total += k & 2n ? -(power / k) : power / k;
    }
    return total << 3n;
  }

  const copysign = (x, sign) => (sign < 0 || Object.is(sign, -0) ? -Math.abs(x) : Math.abs(x));
  const angle = (opposite, adjacent) => (opposite <= adjacent ? arctangent(opposite, adjacent) : halfPi(BITS) - arctangent(adjacent, opposite));

  function atan2(y, x) {
    if (Number.isNaN(x) || Number.isNaN(y)) return NaN;
    if (!Number.isFinite(x) || !Number.isFinite(y)) {
      x = copysign(Number.isFinite(x) ? 0 : 1, x);
      y = copysign(Number.isFinite(y) ? 0 : 1, y);
    }
    if (y === 0) return copysign(copysign(1, x) > 0 ? 0 : Math.PI, y);
    const [a, e] = parts(Math.abs(y)), [b, f] = parts(Math.abs(x)), least = Math.min(e, f);
    const opposite = shifted(a, e - least), adjacent = shifted(b, f - least);
    if (x >= 0 && opposite << 60n < adjacent) return copysign(ratio(opposite, adjacent), y);
    const found = angle(opposite, adjacent);
    return copysign(ratio(x < 0 ? 2n * halfPi(BITS) - found : found, ONE), y);
  }

  // [|x|, sqrt(1 - x^2)] as integers.
  function complement(x) {
    const value = fixed(Math.abs(x), 1100);
    return [value, root((1n << 2200n) - value * value)];
  }

  function exponential(value) {
    const exponent = Number(divided(value, ln2(0)));
    let rest = value - BigInt(exponent) * ln2(0);
    if (exponent > 1100) return Infinity;
    if (exponent < -1200) return 0;
    rest >>= 8n;
    let total = ONE + rest, term = rest, k = 1n;
    while (term) {
      k += 1n;
      term = ((term * rest) >> BITS) / k;
      total += term;
    }
    for (let i = 0; i < 8; i++) total = (total * total) >> BITS;
    return ratio(total, ONE, exponent);
  }

  function logarithm(x) {
    let exponent = exponentOf(x), m = shifted(parts(x)[0], Number(BITS) - size(parts(x)[0]));
    if (ratio(m, ONE) < 0.7071) {
      m <<= 1n;
      exponent -= 1;
    }
    return BigInt(exponent) * ln2(0) + 2n * atanh(divided((m - ONE) << BITS, m + ONE));
  }

  function hypot(...numbers) {
    if (numbers.some((x) => Math.abs(x) === Infinity)) return Infinity;
    if (numbers.some(Number.isNaN)) return NaN;
    const others = numbers.map(Math.abs).filter((x) => x !== 0);
    if (others.length < 2) return others[0] ?? 0;
    const exponent = Math.max(...others.map(exponentOf));
    const sum = others.reduce((total, x) => total + fixed(x, 140 - exponent) ** 2n, 0n);
    return ratio(root(sum), 1n << 140n, exponent);
  }

  function power(base, exponent) {
    if (exponent === 2) return base * base;
    if (base === 0 && exponent < 0) return NaN;
    if (exponent === 0 || base === 1) return 1;
    if (Number.isNaN(base) || Number.isNaN(exponent)) return NaN;
    const whole = !Number.isFinite(exponent) || exponent === Math.floor(exponent);
    const odd = whole && Math.abs(exponent) < 2 ** 53 && Math.abs(exponent) % 2 === 1;
    if (base === 0 || !Number.isFinite(base)) {
      const magnitude = Math.abs(base) < 1 === exponent > 0 ? 0 : Infinity;
      return odd ? copysign(magnitude, base) : magnitude;
    }
    if (!Number.isFinite(exponent)) return base === -1 ? 1 : Math.abs(base) > 1 === exponent > 0 ? Infinity : 0;
    if (whole && Math.abs(exponent) <= 32) {
      const [m, e] = parts(base), count = BigInt(Math.abs(exponent)), n = shifted(m, Math.max(e, 0)) ** count, d = shifted(1n, Math.max(-e, 0)) ** count;
      return exponent < 0 ? ratio(d, n) : ratio(n, d);
    }
    if (base < 0 && !whole) return NaN;
    const [m, e] = parts(exponent), value = shifted(logarithm(Math.abs(base)) * m, e);
    const magnitude = absolute(value) < 2000n * ONE ? exponential(value) : value > 0n ? Infinity : 0;
    return odd && base < 0 ? -magnitude : magnitude;
  }

  const small = (x) => Math.abs(x) < 1e-9;
  return {
    power, hypot, atan2, hypot_many: hypot,
    atan: (x) => atan2(x, 1),
    sin: (x) => (!Number.isFinite(x) ? NaN : small(x) ? x : ratio(sine(...reduced(x)), ONE)),
    cos: (x) => {
      if (!Number.isFinite(x)) return NaN;
      const [quadrant, r] = reduced(x);
      return ratio(sine(quadrant + 1n, r), ONE);
    },
    tan: (x) => {
      if (!Number.isFinite(x)) return NaN;
      if (small(x)) return x;
      const [quadrant, r] = reduced(x);
      return ratio(sine(quadrant, r), sine(quadrant + 1n, r));
    },
    asin: (x) => {
      if (!(Math.abs(x) <= 1)) return NaN;
      return small(x) ? x : copysign(ratio(angle(...complement(x)), ONE), x);
    },
    acos: (x) => {
      if (!(Math.abs(x) <= 1)) return NaN;
      const [adjacent, opposite] = complement(x), found = angle(opposite, adjacent);
      return ratio(x < 0 ? 2n * halfPi(BITS) - found : found, ONE);
    },
    exp: (x) => (Number.isNaN(x) ? NaN : x > 710 ? Infinity : x < -746 ? 0 : exponential(fixed(x))),
    log: (x) => (!(x > 0) ? NaN : x === Infinity ? x : ratio(logarithm(x), ONE)),
  };
})();
