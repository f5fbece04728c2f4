// SPDX-License-Identifier: MIT
// A mutex and its lock; neither does anything in a build with one thread alone, such as
// WebAssembly's, whose library has none.
#ifndef RIGID_ENGINE_PARALLEL_LOCK_H
#define RIGID_ENGINE_PARALLEL_LOCK_H

#if !defined(RIGID_ONE_THREAD)
#include <mutex>
#endif

namespace rigid {

#if defined(RIGID_ONE_THREAD)
struct Mutex {};
struct Lock {
  explicit Lock(Mutex&) {}
  ~Lock() {}
};
#else
using Mutex = std::mutex;
using Lock = std::lock_guard<std::mutex>;
#endif

}  // namespace rigid

#endif
