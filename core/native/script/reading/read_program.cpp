// SPDX-License-Identifier: MIT
// The tables of a program, in the order in which they are written.
#include "script/reading/read_program.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "engine/channels.h"
#include "script/reading/read_actuator.h"
#include "script/reading/read_attachment.h"
#include "script/reading/read_breakable.h"
#include "script/reading/read_form.h"
#include "script/reading/read_original.h"
#include "script/reading/read_values.h"
#include "script/reading/reader.h"
#include "sorting.h"

namespace rigid::script {

namespace {

static_assert(std::endian::native == std::endian::little, "programs are little-endian");

constexpr double latest = 1e30, shortest_period = 1e-30;

class ProgramReader : private ValueReader {
 public:
  explicit ProgramReader(std::span<const std::byte> bytes) : ValueReader(bytes) {}

  Program read() {
    require(reader_.skip(magic), "it is of another version");
    read_sizes();
    program_.texts = reader_.list<std::string>(4, [this] { return reader_.text(); });
    program_.variables = reader_.list<Variable>(12, [this] {
      const int name = text();
      return Variable{name, reader_.finite()};
    });
    program_.tags = reader_.list<Tags>(4, [this] { return read_tags(reader_); });
    require(static_cast<int>(program_.tags.size()) == program_.bodies, "tags are of other bodies");
    program_.materials = read_tags(reader_);
    program_.motors = reader_.list<Motor>(38, [this] { return motor(program_.joints); });
    program_.springs = reader_.list<JointSpring>(41, [this] { return spring(program_.joints); });
    program_.mice = reader_.list<Mouse>(20, [this] { return mouse(); });
    program_.actuators = reader_.list<std::shared_ptr<const Actuator>>(
        least_of_actuator, [this] { return read_actuator(reader_, program_.bodies); });
    read_forms(reader_, program_);
    program_.aggregates = reader_.list<Aggregate>(13, [this] { return aggregate(); });
    const int probes = reader_.count(1);
    program_.readings =
        reader_.list<ProbeReading>(14, [this, probes] { return probe_reading(probes); });
    program_.expressions = reader_.list<Expression>(37, [this] { return expression(); });
    program_.probes = reader_.list<Probe>(1, [this] { return probe(); });
    require(static_cast<int>(program_.probes.size()) == probes, "tables are of other sizes");
    using Shared = std::shared_ptr<const Breakable>;
    program_.breakables = reader_.list<Shared>(sizeof(BodyRow), [this] {
      return std::make_shared<const Breakable>(read_breakable(reader_));
    });
    program_.breaking = reader_.list<BreakingBody>(16, [this] {
      BreakingBody found{};
      found.breakable = reader_.place(program_.breakables.size(), none);
      found.name = reader_.place(program_.texts.size(), found.breakable == none ? none : 0);
      for (int& body : found.along) body = reader_.place(program_.bodies, none);
      return found;
    });
    require(
        program_.breaking.empty() || static_cast<int>(program_.breaking.size()) == program_.bodies,
        "pieces are of other bodies");
    program_.destructions =
        reader_.list<Destruction>(52, [this] { return read_destruction(reader_); });
    program_.names = reader_.list<int>(4, [this] { return text(); });
    const int plans = reader_.count(1);
    program_.originals = reader_.list<Original>(54, [this, plans] { return original(plans); });
    program_.spawns = reader_.list<Spawn>(140, [this] { return spawn(); });
    program_.attachments = reader_.list<Attachment>(9, [this] { return attachment(); });
    program_.moves = reader_.list<Move>(61, [this] { return move(); });
    program_.reaches = reader_.list<Reach>(44, [this] { return reach(); });
    // Keys and animations refer to each other's places.
    animations_ = reader_.count(1);
    asked_ = reader_.count(1);
    program_.animations = reader_.list<Animation>(30, [this] { return animation(); });
    const std::size_t actuators = program_.actuators.size();
    program_.keys =
        reader_.list<Key>(29, [this, actuators] { return key(animations_, actuators, asked_); });
    program_.asked = reader_.list<Actions>(4, [this] { return actions(); });
    program_.rules = reader_.list<Rule>(100, [this] { return rule(program_.joints); });
    read_plans(plans);
    program_.spawners = reader_.list<Spawner>(49, [this] { return spawner(); });
    program_.outcome = reader_.list<Condition>(8, [this] {
      const int word = text();
      return Condition{word, expression_place(0)};
    });
    program_.sets = reader_.list<std::vector<Setting>>(4, [this] { return settings(); });
    program_.inputs = reader_.list<TimedInput>(13, [this] { return input_at_step(); });
    require(std::is_sorted(program_.inputs.begin(), program_.inputs.end(),
                           [](const auto& a, const auto& b) { return a.step < b.step; }),
            "inputs are in another order");
    program_.pulls = reader_.list<Pull>(56, [this] { return read_pull(reader_, program_.bodies); });
    program_.hand = reader_.number<JointRow>();
    require(static_cast<int>(program_.animations.size()) == animations_ &&
                static_cast<int>(program_.asked.size()) == asked_ && reader_.at_end(),
            "tables are of other sizes");
    finish();
    return std::move(program_);
  }

 private:
  void read_sizes() {
    program_.dt = reader_.finite();
    require(program_.dt > 0.0, "a step has no length");
    program_.actuator_gravity = reader_.finite();
    for (int* size : {&program_.bodies, &program_.joints, &program_.points, &program_.pools}) {
      *size = reader_.number<int32_t>();
      require(*size >= 0, "a size is below 0");
    }
    program_.uses = reader_.number<int32_t>();
    require(program_.uses >= 0 && program_.uses < most_elements, "a size is below 0");
    program_.most_events = reader_.number<int32_t>();
    program_.reacts = reader_.flag();
    program_.switches = reader_.flag();
    program_.is_whole = reader_.flag();
    program_.seed = reader_.number<int64_t>();
    Limits& limits = program_.limits;
    for (int* most : {&limits.bodies, &limits.births, &limits.births_at_once, &limits.tries_at_once,
                      &limits.joints, &limits.emitting}) {
      *most = reader_.number<int32_t>();
      require(*most >= 0 && *most < 1 << 30, "a limit is below 0");
    }
  }

  Mouse mouse() {
    const int joint = reader_.place(program_.joints);
    const double x = reader_.finite();
    return {joint, {x, reader_.finite()}};
  }

  TimedInput input_at_step() {
    TimedInput found{};
    found.step = reader_.number<int64_t>();
    found.kind = reader_.word<InputKind>(input_kind_count);
    found.what = reader_.place(program_.places_of(found.kind));
    return found;
  }

  Action action() {
    Action found{};
    found.deed = reader_.word<Deed>(deed_count);
    found.what = reader_.number<int32_t>();
    found.changes = reader_.word<uint8_t>(4);
    found.reads = reader_.word<uint8_t>(4);
    found.keeps = reader_.flag();
    found.members = members();
    found.spot = spot();
    found.amount = value();
    const bool sets = found.deed == Deed::set || found.deed == Deed::add;
    found.setting = sets ? setting() : Setting{place(), value()};
    const int what = found.what;
    if (found.deed == Deed::impulse) {
      require(what >= least_owner() && what < program_.bodies && what != 0,
              "a place is in no table");
      require(found.amount.width == 2, "an impulse has no direction");
    } else if (found.deed == Deed::play || found.deed == Deed::stop) {
      const int least = second_body - own_.animations;
      require(what >= least && what < animations_ && (what >= 0 || what <= first_own),
              "a place is in no table");
    } else if (found.deed == Deed::spawn) {
      require(what >= 0 && what < static_cast<int64_t>(program_.spawns.size()) &&
                  program_.spawns[what].by == own_.original,
              "a place is in no table");
    } else if (found.deed == Deed::destroy) {
      require(what >= 0 && what < static_cast<int64_t>(program_.destructions.size()) &&
                  found.members.bodies.size() == 1,
              "a place is in no table");
    } else if (found.deed == Deed::explode) {
      require(!program_.own_forms.empty() && found.amount.width == 2, "a body has no form");
    } else if (found.deed == Deed::copy) {
      require(!program_.is_whole && what >= 0 && what < static_cast<int64_t>(program_.moves.size()),
              "a place is in no table");
    } else if (found.deed >= Deed::attach) {
      const std::size_t sizes[] = {program_.attachments.size(), program_.moves.size(),
                                   program_.reaches.size()};
      const auto size = sizes[static_cast<int>(found.deed) - static_cast<int>(Deed::attach)];
      require(what >= 0 && what < static_cast<int64_t>(size), "a place is in no table");
      const int by = found.deed == Deed::reach    ? program_.reaches[what].by
                     : found.deed == Deed::attach ? program_.attachments[what].by
                                                  : own_.original;
      require(by == own_.original, "it is of another original");
    } else if (found.deed >= Deed::log && found.deed <= Deed::end) {
      require(what >= 0 && what < static_cast<int64_t>(program_.texts.size()),
              "a place is in no table");
      require(found.amount.width == 1, "a volume is no number");
    }
    return found;
  }
  Members members() {
    Members found;
    found.bodies = reader_.list<int>(4, [this] { return owner(); });
    found.joints = reader_.list<int>(4, [this] { return own_place(program_.joints, own_.joints); });
    found.actuators = reader_.list<int>(
        4, [this] { return own_place(program_.actuators.size(), own_.actuators); });
    found.tag = reader_.place(most_tags, none);
    found.names = places(program_.names.size());
    found.attached = reader_.number<int32_t>();
    require(found.attached == none || is_name(found.attached), "a place is in no table");
    found.pieces = reader_.flag();
    return found;
  }

  // ------------------------------------------------------------ births

  Original original(int plans) {
    Original found = read_original(reader_, program_, plans);
    const std::size_t joints = found.joints.size();
    found.motors = reader_.list<Motor>(38, [this, joints] { return motor(joints); });
    found.springs = reader_.list<JointSpring>(41, [this, joints] { return spring(joints); });
    found.attached = reader_.place(most_elements);
    return found;
  }

  // Whether joints of this name, of the scene or of a copy, may be attached.
  bool is_name(int name) const {
    return name >= 0 ? name < static_cast<int64_t>(program_.names.size())
                     : name <= first_own && name >= second_body - own_.attached;
  }

  Attachment attachment() {
    const int by = reader_.place(program_.originals.size(), none);
    act_as(by);
    Attachment found = read_attachment(reader_, program_.bodies, least_owner());
    require(is_name(found.name) && !(found.by_host && program_.is_whole), "a place is in no table");
    found.by = by;
    act_as(none);
    return found;
  }

  Spawn spawn() {
    Spawn found{};
    found.name = reader_.place(program_.names.size());
    found.by = reader_.place(program_.originals.size(), none);
    found.original = reader_.place(program_.originals.size(), none);
    act_as(found.by);
    found.vars = reader_.list<Number>(12, [this] { return number(); });
    found.spot = spot();
    found.turns = reader_.flag();
    found.has_frame = reader_.flag();
    found.frame = owner();
    found.pivot_x = reader_.finite();
    found.pivot_y = reader_.finite();
    found.angle = number();
    found.velocity = value();
    require(found.velocity.width == 2, "a velocity has no direction");
    found.ends = reader_.flag();
    found.lifetime = number();
    found.if_free = reader_.flag();
    found.tries = reader_.number<int32_t>();
    require(found.tries >= 1 && found.tries <= 1 << 20, "a place is looked for too often");
    act_as(none);
    require(found.original != none || !program_.is_whole, "an original is made by no host");
    return found;
  }

  Actions actions() {
    return reader_.list<Action>(34, [this] { return action(); });
  }

  Track track() {
    Track found{};
    found.place = place();
    require(found.place.target != Target::none, "a track moves nothing");
    found.moves_body = reader_.flag();
    found.interpolates = reader_.flag();
    found.easing = reader_.word<uint8_t>(4);
    found.times = reader_.list<double>(8, [this] { return reader_.finite(); });
    found.values = reader_.list<double>(8, [this] { return reader_.real(); });
    found.width = width_of(found.place);
    require(!found.times.empty() && found.values.size() == found.times.size() * found.width &&
                std::is_sorted(found.times.begin(), found.times.end()),
            "a track has other values than times");
    const bool may_move =
        found.place.target == Target::position || found.place.target == Target::angle;
    const bool is_there = found.place.owner > 0 || found.place.owner <= first_own;
    require(!found.moves_body || (may_move && is_there && found.place.axis == none),
            "a track moves no body");
    require(own_.original == none || found.place.owner <= first_own, "a track is of no copy");
    return found;
  }

  Animation animation() {
    Animation found{};
    found.kind = reader_.word<Playing>(4);
    found.enabled = reader_.flag();
    found.duration = reader_.finite();
    require(found.duration > 0.0, "an animation has no duration");
    found.start = reader_.finite();
    found.back_to = reader_.real();
    found.tracks = reader_.list<Track>(20, [this] { return track(); });
    return found;
  }

  Key key(std::size_t animations, std::size_t actuators, std::size_t asked) {
    Key found;
    found.forward = places(animations);
    found.backward = places(animations);
    found.holds = places(actuators);
    found.sets = settings();
    found.releases = settings();
    found.pressed = reader_.place(asked, none);
    found.released = reader_.place(asked, none);
    found.every = reader_.real();
    require_period(found.every);
    return found;
  }

  static void require_time(double time) {
    require(std::fabs(time) <= latest, "a time is too late");
  }
  // Not a number for what is not repeated.
  static void require_period(double every) {
    require(std::isnan(every) || every >= shortest_period, "a period is too short");
  }

  Selector selector() {
    Selector found;
    found.tag = reader_.place(most_tags, none);
    found.bodies = places(own_.original == none ? program_.bodies : own_.bodies);
    rigid::sort(found.bodies.begin(), found.bodies.end());
    return found;
  }

  // The scripts of copies, each with the original that it is of.
  void read_plans([[maybe_unused]] int plans) {
#ifdef RIGID_SMALL
    require(reader_.count(16) == 0, "copies in it have scripts, which pages do not run");
#else
    program_.plans.reserve(program_.originals.size());
    reader_.list<int>(16, [this] {
      act_as(reader_.place(program_.originals.size()));
      const Original& original = program_.originals[own_.original];
      require(original.plan == static_cast<int>(program_.plans.size()),
              "a script is of another original");
      const auto joints = static_cast<int>(original.joints.size());
      CopyPlan found;
      found.animations = reader_.list<Animation>(30, [this] { return animation(); });
      own_.animations = static_cast<int>(found.animations.size());
      found.rules = reader_.list<Rule>(100, [this, joints] { return rule(joints); });
      found.spawners = reader_.list<Spawner>(49, [this] { return spawner(); });
      found.asked = reader_.list<Actions>(4, [this] { return actions(); });
      found.keys = reader_.list<OwnKey>(33, [this, &found] {
        const int place = reader_.place(program_.keys.size(), none);
        return OwnKey{place, key(own_.animations, own_.actuators, found.asked.size())};
      });
      require(found.asked.size() == 2 * found.keys.size(), "tables are of other sizes");
      for (int i = 0; i < static_cast<int>(found.rules.size()); ++i) {
        const Rule& rule = found.rules[i];
        if (rule.kind == Kind::time) found.times.push_back(i);
        if (rule.kind == Kind::leave) found.leaving.push_back(i);
        if (rule.kind == Kind::condition) found.conditions.push_back(i);
        require(rule.kind != Kind::leave || rule.who.size() == 1, "a region is of no bodies");
      }
      program_.plans.push_back(std::move(found));
      act_as(none);
      return 0;
    });
    require(static_cast<int>(program_.plans.size()) == plans, "tables are of other sizes");
#endif
  }

  Rule rule(int joints) {
    Rule found{};
    found.kind = reader_.word<Kind>(kind_count);
    found.once = reader_.word<Once>(3);
    found.per_pair = reader_.flag();
    found.asks = reader_.flag();
    found.who = reader_.list<Selector>(8, [this] { return selector(); });
    require(found.who.size() <= 2, "an event has more than two bodies");
    const bool of_joint = found.kind == Kind::joint_broken;
    const bool is_own = own_.original != none;
    const std::size_t actuators = is_own ? own_.actuators : program_.actuators.size();
    found.subject = reader_.place(of_joint ? joints : actuators, none);
    found.joints = places(is_own ? own_.joints + own_.attached : program_.joints);
    found.attached = reader_.place(program_.names.size(), none);
    for (double* part :
         {&found.at, &found.every, &found.after, &found.min_impulse, &found.cooldown}) {
      *part = reader_.real();
    }
    require_period(found.every);
    for (double time : {found.at, found.after, found.cooldown}) require_time(time);
    for (double& side : found.region) side = reader_.real();
    found.condition = expression_place(found.kind == Kind::condition ? 0 : none);
    found.guard = expression_place();
    found.unless = expression_place();
    found.actions = actions();
    return found;
  }

  Spawner spawner() {
    Spawner found{};
    found.start = reader_.finite();
    require_time(found.start);
    found.every = reader_.finite();
    require_period(found.every);
    found.until = reader_.real();
    require(!std::isnan(found.until), "a time is no number");
    found.most = reader_.number<int64_t>();
    found.alive = reader_.number<int64_t>();
    found.spawn = reader_.place(program_.spawns.size());
    require(found.spawn != none, "a spawner has nothing");
    require(found.spawn < 0 || program_.spawns[found.spawn].by == own_.original,
            "a place is in no table");
    found.guard = expression_place();
    found.together = reader_.flag();
    return found;
  }

  void finish() {
    for (std::size_t i = 0; i < program_.rules.size(); ++i) {
      const Rule& rule = program_.rules[i];
      program_.by_kind[static_cast<int>(rule.kind)].push_back(static_cast<int>(i));
      program_.looks_at_each_step |= rule.kind != Kind::time;
    }
    for (int i : program_.by_kind[static_cast<int>(Kind::condition)]) {
      require_state(program_.rules[i].condition);
    }
    for (const Condition& each : program_.outcome) require_state(each.expression);
    for (int i : program_.by_kind[static_cast<int>(Kind::leave)]) {
      require(program_.rules[i].who.size() == 1, "a region is of no bodies");
    }
    for (const Spawner& each : program_.spawners) {
      if (each.guard >= 0) require_state(each.guard);
    }
  }

  void require_state(int expression) {
    for (const Input& input : program_.expressions[expression].inputs) {
      require(input.source != Source::value && input.source != Source::of_body,
              "a condition reads an event");
    }
  }

  int animations_ = 0, asked_ = 0;
};

}  // namespace

std::shared_ptr<const Program> read_program(std::span<const std::byte> bytes) {
  return std::make_shared<const Program>(ProgramReader(bytes).read());
}

}  // namespace rigid::script
