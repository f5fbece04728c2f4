// SPDX-License-Identifier: MIT
// The pool of a build with one thread alone, compiled in place of thread_pool.cpp: the caller does
// everything.
#include "engine/parallel/thread_pool.h"

namespace rigid {

class ThreadPool::Crew {};

ThreadPool::ThreadPool(int) : wanted_(0) {}
ThreadPool::~ThreadPool() = default;
void ThreadPool::begin_steps(InterruptPoller* poller) { poller_ = poller; }
void ThreadPool::end_steps() { poller_ = nullptr; }
void ThreadPool::share_out(const Stage&) {}
void ThreadPool::hire() {}

}  // namespace rigid
