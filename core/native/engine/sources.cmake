# SPDX-License-Identifier: MIT
set(ENGINE_SOURCES
  engine/batch/batch.cpp
  engine/batch/batch_stepper.cpp
  engine/batch/lane_kind.cpp
  engine/batch/lone_world.cpp
  engine/batch/resident_group.cpp
  engine/batch/resident_steps.cpp
  engine/bodies/encounter.cpp
  engine/bodies/mass.cpp
  engine/bodies/motion.cpp
  engine/bodies/readings.cpp
  engine/broadphase/broadphase.cpp
  engine/broadphase/tree.cpp
  engine/building/read_rows.cpp
  engine/channels.cpp
  engine/collision/carriers.cpp
  engine/collision/chain_tracks.cpp
  engine/collision/continuous.cpp
  engine/collision/crowds.cpp
  engine/collision/impact_group.cpp
  engine/collision/impact_place.cpp
  engine/collision/impact_problems.cpp
  engine/collision/impacts.cpp
  engine/collision/narrow_phase.cpp
  engine/collision/one_way.cpp
  engine/collision/track_corners.cpp
  engine/collision/track_motion.cpp
  engine/contacts/chain_branches.cpp
  engine/contacts/chains.cpp
  engine/contacts/contacts.cpp
  engine/contacts/touches.cpp
  engine/data/bodies.cpp
  engine/data/graph.cpp
  engine/data/shapes.cpp
  engine/forces/attraction.cpp
  engine/forces/bars.cpp
  engine/forces/forces.cpp
  engine/forces/pull_tree.cpp
  engine/forces/surroundings.cpp
  engine/islands/conservation.cpp
  engine/islands/conservation_islands.cpp
  engine/islands/conservation_places.cpp
  engine/islands/liveliness.cpp
  engine/islands/islands.cpp
  engine/joints/correction.cpp
  engine/joints/joint.cpp
  engine/joints/joints.cpp
  engine/joints/springs.cpp
  engine/joints/stored_energy.cpp
  engine/lanes/constraint_lanes.cpp
  engine/lanes/processor.cpp
  engine/mechanisms/block_factors.cpp
  engine/mechanisms/contact_joint_problems.cpp
  engine/mechanisms/effective_masses.cpp
  engine/mechanisms/energy_account.cpp
  engine/mechanisms/geometric_stiffness.cpp
  engine/mechanisms/iterative_energy.cpp
  engine/mechanisms/iterative_joints.cpp
  engine/mechanisms/joint_system.cpp
  engine/mechanisms/joint_system_lanes.cpp
  engine/mechanisms/joint_system_load.cpp
  engine/mechanisms/joint_system_results.cpp
  engine/mechanisms/joint_system_rows.cpp
  engine/mechanisms/joint_system_springs.cpp
  engine/mechanisms/mechanisms.cpp
  engine/overlaps.cpp
  engine/parallel/thread_pool.cpp
  engine/queries/queries.cpp
  engine/solvers/bounces.cpp
  engine/solvers/island_batch_lanes.cpp
  engine/solvers/island_batches.cpp
  engine/solvers/kernels_base.cpp
  engine/solvers/sequential_impulse.cpp
  engine/solvers/soft_step.cpp
  engine/solvers/solver.cpp
  engine/solvers/step_observer.cpp
  engine/solvers/step_parameters.cpp
  engine/state/checks.cpp
  engine/state/saving.cpp
  engine/statistics.cpp
  engine/step.cpp
  engine/world.cpp
  engine/world_parts.cpp)
set(ENGINE_BINDINGS
  engine/bind/bind_batch.cpp
  engine/bind/bind_building.cpp
  engine/bind/bind_compiled.cpp
  engine/bind/bind_engine.cpp
  engine/bind/bind_observing.cpp
  engine/bind/bind_queries.cpp
  engine/bind/bind_running.cpp
  engine/bind/bind_saving.cpp
  engine/bind/bind_script.cpp
  engine/bind/bind_state.cpp
  engine/bind/read_settings.cpp
  engine/bind/row_arrays.cpp
  engine/bind/script_states.cpp)

# The wide solver again for wider vectors; which one runs is decided at run time. -Wno-psabi: GCC
# notes that vectors are passed differently without AVX; all of it is inlined. Where GCC 12 makes
# vectors of its own out of one lane it leaves out that a double is rounded to single precision and
# back (at a width of one world).
set(base -Wno-psabi -fno-tree-vectorize)
set(avx2 -mavx2 -Wno-psabi)
set(avx512 -mavx512f -mavx512vl -mavx512dq -mprefer-vector-width=512 -Wno-psabi)
if(MSVC)
  foreach(flags base avx2 avx512)
    list(TRANSFORM ${flags} PREPEND "/clang:")
  endforeach()
endif()
set(ENGINE_KERNELS engine/solvers/kernels_base.cpp)
set_source_files_properties(engine/solvers/kernels_base.cpp PROPERTIES COMPILE_OPTIONS "${base}")
if(RIGID_X86 AND CMAKE_SIZEOF_VOID_P EQUAL 8)
  set(wide_kernels engine/solvers/kernels_avx2.cpp engine/solvers/kernels_avx512.cpp)
  list(APPEND ENGINE_SOURCES ${wide_kernels})
  list(APPEND ENGINE_KERNELS ${wide_kernels})
  set_source_files_properties(engine/solvers/kernels_base.cpp engine/lanes/processor.cpp PROPERTIES
    COMPILE_DEFINITIONS RIGID_AVX_KERNELS)
  set_source_files_properties(engine/solvers/kernels_avx2.cpp PROPERTIES COMPILE_OPTIONS "${avx2}")
  set_source_files_properties(engine/solvers/kernels_avx512.cpp PROPERTIES
    COMPILE_OPTIONS "${avx512}")
endif()
