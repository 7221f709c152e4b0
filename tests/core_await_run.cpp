/* core_await_run.cpp: coroutines that await in all ways, and go on on the other of two threads. */
#include "tests/core_await.h"

#include <atomic>
#include <condition_variable>
#include <coroutine>
#include <cstdio>
#include <deque>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include "prof.h"

namespace {

constexpr int tasks = AWAIT_TASKS, workers = 2, moves = AWAIT_MOVES;

/* For a task's zone: ticks in which it was open for certain, and in which it may have been. */
struct measured {
	long long inner = 0, outer = 0, inner_from = 0, outer_from = 0;
};

std::atomic<bool> failed;

struct job {
	std::coroutine_handle<> handle;
	measured *of;
};

/* Tasks that one thread is to resume. */
struct queue {
	std::mutex lock;
	std::condition_variable more;
	std::deque<job> jobs;
	bool over = false;

	void put(job next)
	{
		std::lock_guard<std::mutex> guard(lock);
		jobs.push_back(next);
		more.notify_one();
	}
	void end()
	{
		std::lock_guard<std::mutex> guard(lock);
		over = true;
		more.notify_one();
	}
	job take()
	{
		std::unique_lock<std::mutex> guard(lock);
		more.wait(guard, [this] { return over || !jobs.empty(); });
		if (jobs.empty())
			return { nullptr, nullptr };
		job next = jobs.front();
		jobs.pop_front();
		return next;
	}
};

queue queues[workers];
thread_local int mine;
thread_local measured *running;
std::atomic<int> left{ tasks };

/* Values of the calling thread. */
__attribute__((noinline)) int my_number() { return mine; }
__attribute__((noinline)) measured *my_measured() { return running; }

void fail(const char *what)
{
	std::printf("%s\n", what);
	failed = true;
}

/* To the other thread.  The coroutine may go on there before await_suspend returns. */
struct to_the_other {
	to_the_other() { }
	bool await_ready() const { return false; }
	void await_suspend(std::coroutine_handle<> handle) const
	{
		measured *of = my_measured();

		of->outer += await_ticks() - of->outer_from;
		queues[(my_number() + 1) % workers].put({ handle, of });
	}
	int await_resume() const { return my_number(); }
};

struct ready {
	bool await_ready() const { return true; }
	void await_suspend(std::coroutine_handle<>) const { std::terminate(); }
	int await_resume() const { return 5; }
};

struct not_at_all {
	bool await_ready() const { return false; }
	bool await_suspend(std::coroutine_handle<>) const { return false; }
	void await_resume() const { }
};

struct fails {
	bool await_ready() const { return false; }
	void await_suspend(std::coroutine_handle<>) const { throw std::runtime_error("it fails"); }
	void await_resume() const { }
};

/* Has an operator co_await, one a member and one not; neither can be copied or moved. */
struct with_member {
	with_member() = default;
	with_member(const with_member &) = delete;
	to_the_other operator co_await() const { return {}; }
};
struct with_other { };
to_the_other operator co_await(with_other &&) { return {}; }

struct task {
	struct promise_type {
		Prof_stack zones = Prof_STACK;
		task get_return_object() { return { std::coroutine_handle<promise_type>::from_promise(*this) }; }
		/* The task begins where it is resumed first. */
		struct start {
			Prof_stack *zones;
			bool await_ready() const { return false; }
			void await_suspend(std::coroutine_handle<>) const { }
			void await_resume() const { Prof_Resume(zones); }
		};
		start initial_suspend() { return { &zones }; }
		std::suspend_never final_suspend() noexcept { return {}; }
		void return_void() { }
		void unhandled_exception() { std::terminate(); }
		template <typename T> prof__await<T> await_transform(T &&awaitable)
		{
			return Prof_Await(zones, static_cast<T &&>(awaitable));
		}
	};
	std::coroutine_handle<> handle;
};

/* The zone is within the task, of which alone this is told. */
task run(Prof_zone *zone, measured &of)
{
	of.outer_from = await_ticks();
	{
		Prof_Guard guard(zone);
		of.inner_from = await_ticks();
		for (int i = 0; i < moves; i++) {
			Prof(step);
			int before = my_number(), behind;
			{
				of.inner += await_ticks() - of.inner_from;
				if (i % 4 == 0) {
					Prof(deep);
					behind = co_await with_member();
				} else if (i % 4 == 1) {
					behind = co_await with_other();
				} else if (i % 4 == 2) {
					const to_the_other named;
					behind = co_await named;
				} else {
					behind = co_await to_the_other();
				}
				of.inner_from = await_ticks();
			}
			if (before == behind)
				fail("a coroutine did not move");
			if (co_await ready() != 5)
				fail("what was ready was not awaited");
			Prof(tail);
			of.inner += await_ticks() - of.inner_from;
			co_await not_at_all();
			try {
				co_await fails();
				fail("nothing was thrown");
			} catch (const std::runtime_error &) {
				Prof(caught);
			}
			of.inner_from = await_ticks();
		}
		of.inner += await_ticks() - of.inner_from;
	}
	of.outer += await_ticks() - of.outer_from;
	if (--left == 0)
		for (auto &q : queues)
			q.end();
}

void work(int number)
{
	mine = number;
	Prof_Guard guard(Prof_Zone("worker"));
	for (job next; (next = queues[number].take()).handle;) {
		Prof(turn);
		running = next.of;
		next.of->outer_from = await_ticks();
		next.handle.resume();
		Prof(behind);
	}
}

}

int await_run(void)
{
	static measured all[tasks];
	std::thread threads[workers];

	for (int i = 0; i < tasks; i++) {
		std::string name = "task " + std::to_string(i);
		queues[i % workers].put({ run(Prof_Zone(name.c_str()), all[i]).handle, &all[i] });
	}
	for (int i = 0; i < workers; i++)
		threads[i] = std::thread(work, i);
	for (auto &thread : threads)
		thread.join();
	for (int i = 0; i < tasks; i++)
		std::printf("task %d: %lld %lld 1\n", i, all[i].inner, all[i].outer);
	return failed;
}

/* ---- several awaits in one expression: g++ 12 suspends for all of them before it ends one */

namespace {

std::deque<std::coroutine_handle<>> turns;

struct hop {
	bool await_ready() const { return false; }
	void await_suspend(std::coroutine_handle<> handle) const { turns.push_back(handle); }
	int await_resume() const { return 1; }
};

struct stays {
	bool await_ready() const { return false; }
	bool await_suspend(std::coroutine_handle<>) const { return false; }
	int await_resume() const { return 1; }
};

struct cannot {
	bool await_ready() const { throw std::runtime_error("it cannot"); }
	void await_suspend(std::coroutine_handle<>) const { }
	int await_resume() const { return 1; }
};

struct cannot_wait {
	bool await_ready() const { return false; }
	void await_suspend(std::coroutine_handle<>) const { throw std::runtime_error("it cannot"); }
	int await_resume() const { return 1; }
};

struct cannot_go_on {
	bool await_ready() const { return false; }
	void await_suspend(std::coroutine_handle<> handle) const { turns.push_back(handle); }
	int await_resume() const { throw std::runtime_error("it cannot"); }
};

/* The stack of the coroutine's promise. */
struct own_zones {
	Prof_stack *zones = nullptr;
	bool await_ready() const { return false; }
	template <typename Handle> bool await_suspend(Handle handle)
	{
		zones = &handle.promise().zones;
		return false;
	}
	Prof_stack *await_resume() const { return zones; }
};

void in_task() { Prof(in_task); }
int of_two(int a, int b) { return a + b; }

template <typename What> task sum_with()
{
	Prof(sum);
	try {
		int sum = (co_await hop()) + (co_await What());
		sum += of_two(co_await What(), co_await hop());
		if (sum != 4)
			fail("it is not their sum");
	} catch (const std::runtime_error &) {
		in_task();
	}
	in_task();
	co_await hop();
	in_task();
}

/* The program itself has suspended the zones. */
task around()
{
	Prof(around);
	{
		Prof_Suspended away(*co_await own_zones());
		co_await hop();
	}
	Prof(in_around);
}

task never_ends()
{
	Prof(unended);
	Prof(inner);
	int sum = (co_await hop()) + (co_await hop());
	(void)sum;
}

void run_turns()
{
	while (!turns.empty()) {
		Prof(turn);
		std::coroutine_handle<> next = turns.front();
		turns.pop_front();
		next.resume();
	}
}

void begin(task of) { turns.push_back(of.handle); }

/* Destroyed while it is away, and while it runs as the manual has it. */
void destroy(bool is_resumed)
{
	task of = never_ends();

	of.handle.resume();
	turns.pop_back();
	Prof(destroyer);
	if (is_resumed)
		Prof_Resume(&std::coroutine_handle<task::promise_type>::from_address(of.handle.address()).promise().zones);
	of.handle.destroy();
}

}

void await_odd()
{
	Prof(loop);
	for (int i = 0; i < AWAIT_ODD; i++) {
		begin(sum_with<hop>());
		begin(sum_with<stays>());
		begin(sum_with<cannot>());
		begin(sum_with<cannot_wait>());
		begin(sum_with<cannot_go_on>());
		begin(around());
		run_turns();
		destroy(false);
		destroy(true);
	}
}
