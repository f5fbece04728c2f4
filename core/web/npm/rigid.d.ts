// SPDX-License-Identifier: MIT
/** An error of the engine or of a function here. */
export class RigidError extends Error {}

export interface LoadOptions {
  /** The module, its bytes or its address, in a page relative to that; by default `librigid.wasm` beside `rigid.js`. */
  wasm?: WebAssembly.Module | ArrayBuffer | ArrayBufferView | string | URL;
  /** Constraints in a vector, 1 or 4; the bits are the same. */
  lanes?: 1 | 4;
}

/** Loads a compiled scene (`rigid compile scene.yaml -o scene.rigid`). Throws RigidError for other bytes. */
export function load(bytes: ArrayBuffer | Uint8Array, options?: LoadOptions): Promise<World>;

/** The sections of a compiled scene by name; the engine has to have checked it. */
export function sectionsOf(data: Uint8Array): Map<string, Uint8Array> & {digest: bigint};

export type Point = [x: number, y: number];

export interface BodyState {
  x: number;
  y: number;
  angle: number;
  vx: number;
  vy: number;
  omega: number;
  mass: number;
  alive: boolean;
  awake: boolean;
}

/** A copy of a prototype: the place of its spawn, its number, the ids of its bodies (-1 for one that is gone) and joints. */
export interface Birth {
  spawn: number;
  count: number;
  bodies: number[];
  joints: number[];
}

/** A piece of a broken body. The origin is that of this body, in coordinates of the piece; outlines are lists of x and y, and
 * so are the parts of a picture on it. */
export interface Piece {
  id: number;
  name: string;
  origin: Point;
  outlines: number[][];
  pictures: number[][];
}

export interface WorldEvent {
  step: number;
  kind: string;
  /** The body or the joint, or what an action says. */
  a: string;
  b: string;
  /** The volume of a sound. */
  amount: number;
}

export interface GrabOptions {
  /** How far from a body the point may be. */
  reach?: number;
  /** Picks one of several bodies at the point. */
  front?: (names: string[]) => string;
}

/** A running scene. Quantities are in the scene's units, angles in radians. */
export class World {
  readonly about: {
    name: string;
    description: string;
    hash: string;
    dt: number;
    steps: number;
    length: string;
    time: string;
    second: number;
    lengthUnit: number;
    gravity: Point;
    yDown: boolean;
  };
  /** Names by place; the first body is the world itself. What is born gets the places of removed ones, or new ones. */
  readonly names: {bodies: string[]; joints: string[]; actuators: string[]; keys?: string[]; state?: string[]};
  readonly dt: number;
  readonly stepCount: number;
  readonly time: number;
  /** The last step that was reached; after a restore, what was done up to it is done again. */
  readonly lastStep: number;
  readonly bodyCount: number;
  /** x, y and angle of each body. */
  readonly poses: Float64Array;
  /** vx and vy of the centre of mass, and omega, of each body. */
  readonly velocities: Float64Array;
  readonly alive: Uint8Array;
  readonly awake: Uint8Array;
  readonly masses: Float32Array;
  /** Four numbers of each joint: force x and y and torque on B, and whether it is broken. */
  readonly joints: Float64Array;
  /** Nine numbers of each touching point: bodies a and b, x, y, normal x and y, normal force, friction, separation. */
  readonly contacts: Float64Array;
  /** The ids of the joints that are there: a place and, in the upper 32 bits, which of those there it is. */
  readonly jointIds: Float64Array;
  /** The copies of prototypes that were born and are there. */
  readonly births: Birth[];
  /** The names of the bodies and joints of a birth. */
  namesOf(birth: Birth): {bodies: string[]; joints: string[]};
  /** The pieces of broken bodies that are there. */
  readonly pieces: Piece[];
  /** Whether bodies are shown, by the ids of those that the script has shown or hidden. */
  readonly shown: Map<number, boolean>;
  /** Kinetic energy, and the potential one of weight and springs. */
  readonly energy: [number, number];
  /** 16 digits that change with any bit of the state of any body; equal to the native engine's. */
  readonly hash: string;
  /** The names of the scene's keys. */
  readonly keys: string[];
  /** The state variables of the script, by name. */
  readonly state: Record<string, number>;
  /** Whether the actuators of a script are enabled, by name. */
  readonly switched: Record<string, boolean>;
  /** The values by which a live page draws texts and plots; not a number where there is none. Other scenes have none. */
  readonly readings: Float64Array;
  /** `win`, `lose` or another word with which the run ended; empty until then. */
  readonly outcome: string;
  step(count?: number): this;
  body(name: string): BodyState;
  takeEvents(): WorldEvent[];
  /** The recorded channels of the scene, by name. */
  record(): Record<string, number>;
  /** Pulls the dynamic body at a point; null where there is none. */
  grab(point: Point, options?: GrabOptions): Grab | null;
  press(key: string): void;
  release(key: string): void;
  /** Sets what is at a place of the timed settings of a live page, for one of its sliders; the record of inputs has the text. */
  choose(slider: string, place: number, text: string): void;
  /** The text that a slider has set last before now; null for none. */
  chosen(slider: string): string | null;
  /** Drops what is recorded for later than now. */
  takeOver(): void;
  /** Drops all that was played: after a restore of the first state, the run begins anew. */
  forget(): void;
  /** The recorded inputs, as a file that `rigid run --inputs` replays to the same hash; `file` is the scene, as words of that
   * command, and `name` the file of inputs. */
  inputs(file?: string, name?: string): string;
  save(): Uint8Array;
  restore(state: Uint8Array): void;
  /** Restores what `World.native.save()` of Python wrote. */
  restoreEngine(state: Uint8Array): void;
  /** Frees the memory of the engine. */
  close(): void;
}

/** A body that is pulled. */
export class Grab {
  readonly body: string;
  move(point: Point): void;
  drop(): void;
}

declare const rigid: {
  load: typeof load;
  sectionsOf: typeof sectionsOf;
  RigidError: typeof RigidError;
  World: typeof World;
  Grab: typeof Grab;
};
export default rigid;
