set(ENGINE_SOURCES
  engine/bind_engine.cpp)
