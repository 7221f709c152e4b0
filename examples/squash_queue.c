/* SPDX-License-Identifier: MIT */
/* squash_queue.c: a stack under a lock, and when it is safe to say that all is done. */
#include "squash_queue.h"

#include <errno.h>
#include <stdlib.h>

static bool is_done(const struct queue *q)
{
	return q->count == 0 && q->busy == 0;
}

bool queue_init(struct queue *q)
{
	pthread_condattr_t monotonic;

	*q = (struct queue){ 0 };
	if (pthread_condattr_init(&monotonic))
		return false;
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	bool ok = !pthread_mutex_init(&q->lock, NULL) && !pthread_cond_init(&q->more, NULL) &&
	          !pthread_cond_init(&q->done, &monotonic);
	pthread_condattr_destroy(&monotonic);
	return ok;
}

void queue_fini(struct queue *q)
{
	while (q->count)
		free(q->jobs[--q->count].path);
	free(q->jobs);
	pthread_cond_destroy(&q->done);
	pthread_cond_destroy(&q->more);
	pthread_mutex_destroy(&q->lock);
}

static bool grow(struct queue *q)
{
	size_t room = q->room ? 2 * q->room : 256;
	struct job *jobs = realloc(q->jobs, room * sizeof *jobs);

	if (!jobs)
		return false;
	q->jobs = jobs;
	q->room = room;
	return true;
}

bool queue_push(struct queue *q, struct job job)
{
	pthread_mutex_lock(&q->lock);
	bool ok = q->count < q->room || grow(q);
	if (ok) {
		q->jobs[q->count++] = job;
		pthread_cond_signal(&q->more);
	}
	pthread_mutex_unlock(&q->lock);
	return ok;
}

bool queue_pop(struct queue *q, struct job *job)
{
	pthread_mutex_lock(&q->lock);
	while (q->count == 0 && q->busy > 0)
		pthread_cond_wait(&q->more, &q->lock);
	bool got = q->count > 0;
	if (got) {
		*job = q->jobs[--q->count];
		q->busy++;
	}
	pthread_mutex_unlock(&q->lock);
	return got;
}

void queue_finish(struct queue *q)
{
	pthread_mutex_lock(&q->lock);
	q->busy--;
	if (is_done(q)) {
		pthread_cond_broadcast(&q->more);
		pthread_cond_broadcast(&q->done);
	}
	pthread_mutex_unlock(&q->lock);
}

bool queue_wait_until(struct queue *q, const struct timespec *deadline)
{
	int error = 0;

	pthread_mutex_lock(&q->lock);
	while (!is_done(q) && error != ETIMEDOUT)
		error = pthread_cond_timedwait(&q->done, &q->lock, deadline);
	bool done = is_done(q);
	pthread_mutex_unlock(&q->lock);
	return done;
}
