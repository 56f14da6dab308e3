/* The CPU engine: a page's planes with their mask, with SIMD, or in plain C. */
#include "engine_cpu.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "cpu.h"
#include "halftone/simd/isa.h"
#include "halftone/threads/mask_planes.h"
#include "halftone/threads/plain_planes.h"
#include "halftone/threads/simd_planes.h"

struct cpu_engine {
	struct rip_engine     base;
	bool                  collect; /* in plain C: EC, else ED */
	const struct rip_isa *isa;     /* NULL: plain C for all pages */
	struct rip_team      *team;    /* NULL: the thread that pushes does the work */
};

struct cpu_page {
	struct rip_page      base;
	struct rip_page_spec spec; /* curve is NULL; tone has it */
	struct rip_tone      tone;
	enum { PLAIN, SIMD, MASK } how;
	union {
		struct rip_simd_planes  simd;
		struct rip_plain_planes plain;
		struct rip_mask_planes  mask;
	};
};

static void cpu_close(struct rip_page *base)
{
	struct cpu_page *page = (struct cpu_page *)base;

	if (!page)
		return;
	if (page->how == SIMD)
		rip_simd_planes_finish(&page->simd);
	else if (page->how == MASK)
		rip_mask_planes_finish(&page->mask);
	else
		rip_plain_planes_finish(&page->plain);
	rip_tone_finish(&page->tone);
	free(page);
}

/* What SIMD has no kernel for, plain C computes. */
static bool cpu_takes(const struct rip_engine *base, const struct rip_page_spec *spec)
{
	(void)base;
	return rip_diffuser_takes(spec) || rip_mask_planes_takes(spec) ||
	       spec->screen == &rip_screens[RIP_BLUE_NOISE_COLOUR];
}

/* Plain C needs a team only for helpers. */
static bool has_helpers(const struct cpu_engine *engine)
{
	return engine->team && rip_team_threads(engine->team) > 1;
}

static int cpu_open(struct rip_engine *base, const struct rip_page_spec *spec,
		    struct rip_page **out)
{
	struct cpu_engine *engine = (struct cpu_engine *)base;
	struct cpu_page *page;
	int r;

	*out = NULL;
	if (rip_page_spec_check(spec) < 0 || !cpu_takes(base, spec))
		return -EINVAL;
	page = calloc(1, sizeof *page);
	if (!page)
		return -ENOMEM;
	page->base.engine = base;
	page->spec = *spec;
	page->spec.curve = NULL;
	/* A plane that has no other is alone: the same dots, faster. */
	if (rip_screen_couples(spec->screen) && spec->planes == 1)
		page->spec.screen = &rip_screens[RIP_BLUE_NOISE];
	r = rip_tone_init(&page->tone, spec);
	spec = &page->spec;
	page->how = rip_mask_planes_takes(spec) ? MASK :
		    engine->isa && rip_simd_planes_takes(engine->isa, spec) ? SIMD : PLAIN;
	if (r == 0 && page->how == SIMD)
		r = rip_simd_planes_init(&page->simd, spec, &page->tone, engine->isa,
					 engine->team);
	else if (r == 0 && page->how == MASK)
		r = rip_mask_planes_init(&page->mask, spec, &page->tone,
					 engine->isa ? engine->isa->features : 0,
					 has_helpers(engine) ? engine->team : NULL);
	else if (r == 0)
		r = rip_plain_planes_init(&page->plain, spec, &page->tone, engine->collect,
					  has_helpers(engine) ? engine->team : NULL);
	if (r < 0) {
		cpu_close(&page->base);
		return r;
	}
	*out = &page->base;
	return 0;
}

static int cpu_push(struct rip_page *base, const struct rip_strip *strips, unsigned count)
{
	struct cpu_page *page = (struct cpu_page *)base;

	if (!rip_strips_check(&page->spec, strips, count))
		return -EINVAL;
	return page->how == SIMD ? rip_simd_planes_push(&page->simd, strips, count) :
	       page->how == MASK ? rip_mask_planes_push(&page->mask, strips, count) :
				   rip_plain_planes_push(&page->plain, strips, count);
}

static int cpu_pull(struct rip_page *base)
{
	struct cpu_page *page = (struct cpu_page *)base;

	if (page->how == SIMD)
		rip_simd_planes_wait(&page->simd);
	else if (page->how == MASK)
		rip_mask_planes_wait(&page->mask);
	else
		rip_plain_planes_wait(&page->plain);
	return 0;
}

static int cpu_export_carry(struct rip_page *base, uint32_t plane, int16_t *carry)
{
	struct cpu_page *page = (struct cpu_page *)base;

	if (plane >= page->spec.planes)
		return -EINVAL;
	cpu_pull(base);
	if (page->how == SIMD)
		rip_simd_planes_export(&page->simd, plane, carry);
	else if (page->how == PLAIN)
		rip_diffuser_export(rip_plain_planes_plane(&page->plain, plane), carry);
	return 0;
}

static int cpu_import_carry(struct rip_page *base, uint32_t plane, const int16_t *carry)
{
	struct cpu_page *page = (struct cpu_page *)base;
	int r;

	if (plane >= page->spec.planes)
		return -EINVAL;
	r = rip_carry_check(&page->spec, carry);
	if (r < 0)
		return r;
	cpu_pull(base);
	if (page->how == SIMD)
		rip_simd_planes_import(&page->simd, plane, carry);
	else if (page->how == PLAIN)
		rip_diffuser_import(rip_plain_planes_plane(&page->plain, plane), carry);
	return 0;
}

static void cpu_start(struct rip_page *base, uint32_t plane, enum rip_start start)
{
	struct cpu_page *page = (struct cpu_page *)base;

	cpu_pull(base);
	if (page->how == SIMD)
		rip_simd_planes_start(&page->simd, plane, start);
	else if (page->how == PLAIN)
		rip_diffuser_start(rip_plain_planes_plane(&page->plain, plane), &page->spec,
				   plane, start);
}

static void cpu_free(struct rip_engine *base)
{
	if (!base)
		return;
	rip_team_put(((struct cpu_engine *)base)->team);
	free(base);
}

static const struct rip_engine_ops cpu_ops = {
	.takes = cpu_takes,
	.open = cpu_open,
	.push = cpu_push,
	.pull = cpu_pull,
	.export_carry = cpu_export_carry,
	.import_carry = cpu_import_carry,
	.start = cpu_start,
	.close = cpu_close,
	.free = cpu_free,
};

/* --- making one ------------------------------------------------------------------------ */

#define THREADS_MAX 256

static unsigned threads_of(unsigned wanted)
{
	if (wanted == 0)
		wanted = rip_cpu_count();
	return wanted > THREADS_MAX ? THREADS_MAX : wanted;
}

int rip_engine_cpu_new(const struct rip_cpu_config *config, struct rip_engine **out)
{
	const struct rip_isa *isa = config->isa ? rip_isa_find(config->isa) : rip_isa_best();
	const bool one_core = config->method == RIP_METHOD_ED || config->method == RIP_METHOD_EC;
	const unsigned threads = one_core ? 1 : threads_of(config->threads);
	struct cpu_engine *engine;
	int method, r = 0;

	*out = NULL;
	if (!isa || !isa->built)
		return -ENOENT;
	if (!rip_isa_usable(isa))
		return -ENOTSUP;
	engine = calloc(1, sizeof *engine);
	if (!engine)
		return -ENOMEM;
	engine->base.ops = &cpu_ops;
	engine->collect = config->method != RIP_METHOD_ED;
	engine->isa = one_core || !isa->has_simd ? NULL : isa;
	if (engine->isa)
		r = rip_team_get(isa, rip_simd_memory(isa), threads, &engine->team);
	else if (threads > 1)
		r = rip_team_get(NULL, 0, threads, &engine->team);
	if (r < 0) {
		free(engine);
		return r;
	}
	method = engine->isa ? RIP_METHOD_SIMD : engine->collect ? RIP_METHOD_EC : RIP_METHOD_ED;
	engine->base.method = rip_method_name(method);
	snprintf(engine->base.device, sizeof engine->base.device, "CPU (%s)",
		 engine->isa ? isa->name : "c");
	*out = &engine->base;
	return 0;
}
