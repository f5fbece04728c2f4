// SPDX-License-Identifier: MIT
// The construction of the parts of a world.
#include "engine/world_parts.h"

namespace rigid {

WorldParts::WorldParts(const WorldDefinition& given, const WorldParts* from)
    : definition(given),
      clock(from ? from->clock : Clock{given.dt, 0}),
      parameters(given.solver->parameters(given)),
      pool(given.threads),
      bodies(from ? from->bodies : Bodies{}),
      shapes(from ? from->shapes : Shapes{}),
      points(from ? from->points : Points{}),
      forces(from ? from->forces : Forces{}),
      surroundings(bodies, shapes, definition, parameters),
      attraction(bodies, definition),
      bars(from ? from->bars : Bars{}),
      events(bodies, from ? &from->events : nullptr),
      separations(from ? from->separations : Separations{}),
      broadphase(definition, bodies, shapes, separations, pool, from ? &from->broadphase : nullptr),
      touches(shapes, events, from ? &from->touches : nullptr),
      contacts(definition, clock, bodies, shapes, broadphase, separations, touches,
               from ? &from->contacts : nullptr),
      joints(bodies, broadphase, from ? &from->joints : nullptr),
      islands(definition, clock, bodies, contacts, joints, from ? &from->islands : nullptr),
      carriers(definition, clock, bodies, shapes, broadphase, contacts, joints, pool),
      lanes(given.lanes, given.solver->contacts, parameters, bodies, contacts, joints, pool),
      iterative(parameters, bodies, joints, lanes, pool, from ? &from->iterative : nullptr),
      mechanisms(definition, parameters, bodies, contacts, joints, iterative, lanes, pool,
                 from ? &from->mechanisms : nullptr),
      geometric_stiffness(clock, parameters, bodies, joints, mechanisms, lanes,
                          from ? &from->geometric_stiffness : nullptr),
      effective_masses(parameters, bodies, contacts, joints, mechanisms, lanes, pool),
      chains(definition, shapes, from ? &from->chains : nullptr),
      chain_branches(bodies, shapes, contacts, joints, chains,
                     from ? &from->chain_branches : nullptr),
      tracks(definition, parameters, bodies, shapes, contacts, chains, chain_branches, lanes,
             effective_masses, pool, from ? &from->tracks : nullptr),
      one_way(bodies, shapes, contacts),
      continuous(parameters, bodies, shapes, broadphase, chain_branches, one_way),
      contact_joint_problems(parameters, bodies, contacts, chains, mechanisms, effective_masses,
                             lanes),
      impact_problems(parameters, bodies, shapes, contacts, chains, lanes),
      impacts(parameters, bodies, shapes, contacts, chains, impact_problems, lanes,
              effective_masses, pool),
      narrow_phase(parameters, clock, bodies, shapes, contacts, separations, touches, chains,
                   tracks, continuous, one_way, lanes.kernels(), pool),
      island_batches(parameters, bodies, shapes, contacts, joints, tracks, attraction),
      conservation(definition, parameters, bodies, contacts, joints, mechanisms, attraction,
                   continuous, lanes, pool),
      solver(given.solver->make({definition, parameters, bodies, lanes, iterative, mechanisms,
                                 effective_masses, contact_joint_problems, tracks, continuous,
                                 impact_problems, impacts, attraction, island_batches, pool,
                                 stage_clock})),
      unfinished(from ? from->unfinished : std::vector<int>{}),
      error(from ? from->error : std::nullopt),
      errors(from ? from->errors : std::vector<StepError>{}) {
  separations.set_step(parameters.speculative, parameters.dt);
}

}  // namespace rigid
