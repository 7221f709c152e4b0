/* SPDX-License-Identifier: MIT */
/* jobs: work that other threads do while the main thread goes on.
 *
 * A job is a function and the struct job that it finds itself by, usually the
 * first member of something larger.  Whoever submits a job keeps it, and leaves it
 * and all it refers to alone until jobs_wait has returned.
 */
#ifndef GAME_JOBS_H
#define GAME_JOBS_H

struct job {
	void (*run)(struct job *job);
	struct job *next; /* in the queue; nobody else's business */
};

struct jobs;

/* Starts the workers, which name themselves; NULL when there is no memory or thread. */
struct jobs *jobs_new(int workers);
void jobs_free(struct jobs *jobs); /* ends the workers; no job may be waiting */

void jobs_submit(struct jobs *jobs, struct job *job);

/* Waits until everything that was submitted is done. */
void jobs_wait(struct jobs *jobs);

#endif
