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
  engine/channels.cpp
  engine/encounter.cpp
  engine/energy_account.cpp
  engine/graph.cpp
  engine/impact_group.cpp
  engine/iterative_energy.cpp
  engine/joint_rows.cpp
  engine/joint_springs.cpp
  engine/joint_system.cpp
  engine/joint_system_energy.cpp
  engine/joint_system_load.cpp
  engine/joint_system_rows.cpp
  engine/joint_system_solve.cpp
  engine/kernels_base.cpp
  engine/state/world_archive.cpp
  engine/thread_pool.cpp
  engine/tree.cpp
  engine/world.cpp
  engine/world_breaks.cpp
  engine/world_contacts.cpp
  engine/world_continuous.cpp
  engine/world_impacts.cpp
  engine/world_impulse.cpp
  engine/world_iterative.cpp
  engine/world_lending.cpp
  engine/world_queries.cpp
  engine/world_sleep.cpp
  engine/world_solve.cpp
  engine/world_state.cpp
  engine/world_tension.cpp
  engine/world_track_corners.cpp
  engine/world_tracks.cpp)

# The wide solver again for wider vectors; which one runs is decided at run time. -Wno-psabi: GCC
# notes that vectors are passed differently without AVX; all of it is inlined.
set_source_files_properties(engine/kernels_base.cpp PROPERTIES COMPILE_OPTIONS "-Wno-psabi")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  list(APPEND ENGINE_SOURCES engine/kernels_avx2.cpp engine/kernels_avx512.cpp)
  set_source_files_properties(engine/kernels_avx2.cpp PROPERTIES
    COMPILE_OPTIONS "-mavx2;-Wno-psabi")
  set_source_files_properties(engine/kernels_avx512.cpp PROPERTIES
    COMPILE_OPTIONS "-mavx512f;-mavx512vl;-mavx512dq;-mprefer-vector-width=512;-Wno-psabi")
endif()
