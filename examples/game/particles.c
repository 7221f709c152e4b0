/* SPDX-License-Identifier: MIT */
/* particles.c: a wind of sines that carries dust along. */
#include "particles.h"

#include <stddef.h>

#include <prof.h>

static void emit(struct cloud *cloud)
{
	Prof(emit);

	for (int i = 0; i < PARTICLES; i++) {
		struct particle *p = &cloud->particle[i];
		if (p->life > 0)
			continue;
		p->life = chance_between(&cloud->state, 0.5f, 3);
		p->at = cloud->sources[chance(&cloud->state) % SOURCES];
		p->velocity = vec_scale(vec_at_angle(chance_between(&cloud->state, 0, TURN)), 6);
	}
}

static struct vec wind(struct vec at)
{
	struct vec slow = { sinf(0.021f * at.y), sinf(0.017f * at.x) };
	struct vec fast = { cosf(0.11f * at.y + at.x * 0.01f), cosf(0.13f * at.x - at.y * 0.01f) };

	return vec_add(vec_scale(slow, 9), vec_scale(fast, 4));
}

static void drift(struct cloud *cloud)
{
	Prof(drift);

	for (int i = 0; i < PARTICLES; i++) {
		struct particle *p = &cloud->particle[i];
		struct vec pull = vec_scale(vec_sub(wind(p->at), p->velocity), cloud->seconds);
		p->velocity = vec_add(p->velocity, pull);
		p->at = vec_add(p->at, vec_scale(p->velocity, cloud->seconds));
		p->life -= cloud->seconds;
	}
}

/* Any worker may have moved it before: each adds what is new, and the sum over all of them is right. */
static void count_alive(struct cloud *cloud)
{
	int alive = 0;

	for (int i = 0; i < PARTICLES; i++)
		alive += cloud->particle[i].life > 0;
	Prof_Counter_Add(particles, alive - cloud->alive);
	cloud->alive = alive;
}

static void update_cloud(struct job *job)
{
	Prof(particles);
	struct cloud *cloud = (struct cloud *)((char *)job - offsetof(struct cloud, job));

	emit(cloud);
	drift(cloud);
	count_alive(cloud);
}

void clouds_update(struct cloud *clouds, const struct bodies *bodies, struct jobs *jobs, float seconds)
{
	for (int i = 0; i < CLOUDS; i++) {
		clouds[i].seconds = seconds;
		for (int k = 0; k < SOURCES; k++)
			clouds[i].sources[k] = bodies->body[i * SOURCES + k].at;
		jobs_submit(jobs, &clouds[i].job);
	}
}

void clouds_init(struct cloud *clouds, uint64_t seed)
{
	for (int i = 0; i < CLOUDS; i++) {
		clouds[i].job.run = update_cloud;
		clouds[i].state = seed + (uint64_t)i;
		clouds[i].alive = 0;
		for (int k = 0; k < PARTICLES; k++)
			clouds[i].particle[k].life = 0;
	}
}
