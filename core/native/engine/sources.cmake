set(ENGINE_SOURCES
  engine/batch.cpp
  engine/bind/bind_batch.cpp
  engine/bind/bind_building.cpp
  engine/bind/bind_engine.cpp
  engine/bind/bind_queries.cpp
  engine/bind/bind_running.cpp
  engine/bind/bind_saving.cpp
  engine/bind/bind_state.cpp
  engine/bind/read_rows.cpp
  engine/bind/row_arrays.cpp
  engine/broadphase/tree.cpp
  engine/channels.cpp
  engine/contacts/encounter.cpp
  engine/contacts/impact_group.cpp
  engine/contacts/world_contacts.cpp
  engine/contacts/world_continuous.cpp
  engine/contacts/world_crossings.cpp
  engine/contacts/world_impacts.cpp
  engine/contacts/world_track_corners.cpp
  engine/contacts/world_tracks.cpp
  engine/islands/graph.cpp
  engine/islands/world_sleep.cpp
  engine/joints/joint.cpp
  engine/joints/springs.cpp
  engine/joints/world_breaks.cpp
  engine/mechanisms/energy_account.cpp
  engine/mechanisms/iterative_energy.cpp
  engine/mechanisms/joint_system.cpp
  engine/mechanisms/joint_system_energy.cpp
  engine/mechanisms/joint_system_load.cpp
  engine/mechanisms/joint_system_rows.cpp
  engine/mechanisms/joint_system_solve.cpp
  engine/mechanisms/world_iterative.cpp
  engine/mechanisms/world_lending.cpp
  engine/mechanisms/world_tension.cpp
  engine/parallel/thread_pool.cpp
  engine/queries/world_queries.cpp
  engine/solvers/kernels_base.cpp
  engine/solvers/world_impulse.cpp
  engine/state/world_archive.cpp
  engine/state/world_state.cpp
  engine/world.cpp
  engine/world_births.cpp
  engine/world_solve.cpp)

# The wide solver again for wider vectors; which one runs is decided at run time. -Wno-psabi: GCC
# notes that vectors are passed differently without AVX; all of it is inlined.
set_source_files_properties(engine/solvers/kernels_base.cpp PROPERTIES COMPILE_OPTIONS "-Wno-psabi")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  list(APPEND ENGINE_SOURCES engine/solvers/kernels_avx2.cpp engine/solvers/kernels_avx512.cpp)
  set_source_files_properties(engine/solvers/kernels_avx2.cpp PROPERTIES
    COMPILE_OPTIONS "-mavx2;-Wno-psabi")
  set_source_files_properties(engine/solvers/kernels_avx512.cpp PROPERTIES
    COMPILE_OPTIONS "-mavx512f;-mavx512vl;-mavx512dq;-mprefer-vector-width=512;-Wno-psabi")
endif()
