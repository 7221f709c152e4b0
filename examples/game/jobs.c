/* SPDX-License-Identifier: MIT */
/* jobs.c: a queue, first in first out, under one lock. */
#include "jobs.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <prof.h>

struct worker {
	struct jobs *jobs;
	pthread_t thread;
	int number;
};

struct jobs {
	pthread_mutex_t lock;
	pthread_cond_t more; /* a job was submitted, or it is over */
	pthread_cond_t idle; /* nothing is left to do */
	struct job *first, **last;
	int unfinished;
	bool over;
	int worker_count;
	struct worker workers[];
};

/* NULL: it is over. */
static struct job *next_job(struct jobs *jobs)
{
	Prof_Wait(wait_for_job)
	pthread_mutex_lock(&jobs->lock);
	while (!jobs->first && !jobs->over)
		pthread_cond_wait(&jobs->more, &jobs->lock);
	struct job *job = jobs->first;
	if (job) {
		jobs->first = job->next;
		if (!jobs->first)
			jobs->last = &jobs->first;
	}
	pthread_mutex_unlock(&jobs->lock);
	Prof_End
	return job;
}

static void finish_job(struct jobs *jobs)
{
	pthread_mutex_lock(&jobs->lock);
	if (--jobs->unfinished == 0)
		pthread_cond_signal(&jobs->idle);
	pthread_mutex_unlock(&jobs->lock);
}

static void *work(void *argument)
{
	struct worker *worker = argument;
	struct job *job;
	char name[32];

	snprintf(name, sizeof name, "worker %d", worker->number);
	Prof_Thread(name);
	while ((job = next_job(worker->jobs))) {
		job->run(job);
		finish_job(worker->jobs);
	}
	return NULL;
}

struct jobs *jobs_new(int workers)
{
	struct jobs *jobs = calloc(1, sizeof *jobs + (size_t)workers * sizeof *jobs->workers);

	if (!jobs)
		return NULL;
	pthread_mutex_init(&jobs->lock, NULL);
	pthread_cond_init(&jobs->more, NULL);
	pthread_cond_init(&jobs->idle, NULL);
	jobs->last = &jobs->first;
	for (; jobs->worker_count < workers; jobs->worker_count++) {
		struct worker *w = &jobs->workers[jobs->worker_count];
		w->jobs = jobs;
		w->number = jobs->worker_count + 1;
		if (pthread_create(&w->thread, NULL, work, w)) {
			jobs_free(jobs);
			return NULL;
		}
	}
	return jobs;
}

void jobs_free(struct jobs *jobs)
{
	pthread_mutex_lock(&jobs->lock);
	jobs->over = true;
	pthread_cond_broadcast(&jobs->more);
	pthread_mutex_unlock(&jobs->lock);
	for (int i = 0; i < jobs->worker_count; i++)
		pthread_join(jobs->workers[i].thread, NULL);
	pthread_cond_destroy(&jobs->idle);
	pthread_cond_destroy(&jobs->more);
	pthread_mutex_destroy(&jobs->lock);
	free(jobs);
}

void jobs_submit(struct jobs *jobs, struct job *job)
{
	job->next = NULL;
	pthread_mutex_lock(&jobs->lock);
	*jobs->last = job;
	jobs->last = &job->next;
	jobs->unfinished++;
	pthread_cond_signal(&jobs->more);
	pthread_mutex_unlock(&jobs->lock);
}

void jobs_wait(struct jobs *jobs)
{
	Prof_Wait(wait_for_workers)
	pthread_mutex_lock(&jobs->lock);
	while (jobs->unfinished > 0)
		pthread_cond_wait(&jobs->idle, &jobs->lock);
	pthread_mutex_unlock(&jobs->lock);
	Prof_End
}
