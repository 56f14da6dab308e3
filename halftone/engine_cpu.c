/* The CPU engine: the diffusers of a page's planes. */
#include "engine_cpu.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "diffuse.h"

struct cpu_engine {
	struct rip_engine base;
	bool collect; /* EC, else ED */
};

struct cpu_page {
	struct rip_page      base;
	struct rip_page_spec spec; /* curve is NULL; tone has it */
	struct rip_tone      tone;
	struct rip_diffuser  planes[];
};

static void cpu_close(struct rip_page *base)
{
	struct cpu_page *page = (struct cpu_page *)base;

	if (!page)
		return;
	for (uint32_t i = 0; i < page->spec.planes; i++)
		rip_diffuser_finish(&page->planes[i]);
	rip_tone_finish(&page->tone);
	free(page);
}

static int cpu_open(struct rip_engine *base, const struct rip_page_spec *spec, struct rip_page **out)
{
	struct cpu_engine *engine = (struct cpu_engine *)base;
	struct cpu_page *page;
	int r = rip_page_spec_check(spec);

	*out = NULL;
	if (r < 0)
		return r;
	page = calloc(1, sizeof *page + spec->planes * sizeof page->planes[0]);
	if (!page)
		return -ENOMEM;
	page->base.engine = base;
	page->spec = *spec;
	page->spec.curve = NULL;
	r = rip_tone_init(&page->tone, spec);
	for (uint32_t i = 0; r == 0 && i < spec->planes; i++)
		r = rip_diffuser_init(&page->planes[i], spec, &page->tone, engine->collect);
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

	for (unsigned i = 0; i < count; i++)
		if (strips[i].plane >= page->spec.planes)
			return -EINVAL;
	for (unsigned i = 0; i < count; i++)
		rip_diffuser_run(&page->planes[strips[i].plane], &strips[i]);
	return 0;
}

static int cpu_pull(struct rip_page *base)
{
	return 0; /* push() did it all */
}

static int cpu_export_carry(struct rip_page *base, uint32_t plane, int16_t *carry)
{
	struct cpu_page *page = (struct cpu_page *)base;

	if (plane >= page->spec.planes)
		return -EINVAL;
	rip_diffuser_export(&page->planes[plane], carry);
	return 0;
}

static int cpu_import_carry(struct rip_page *base, uint32_t plane, const int16_t *carry)
{
	struct cpu_page *page = (struct cpu_page *)base;
	int r;

	if (plane >= page->spec.planes)
		return -EINVAL;
	r = rip_carry_check(&page->spec, carry);
	if (r == 0)
		rip_diffuser_import(&page->planes[plane], carry);
	return r;
}

static void cpu_start(struct rip_page *base, uint32_t plane, enum rip_start start)
{
	struct cpu_page *page = (struct cpu_page *)base;

	rip_diffuser_start(&page->planes[plane], plane, start);
}

static void cpu_free(struct rip_engine *base)
{
	free(base);
}

static const struct rip_engine_ops cpu_ops = {
	.open = cpu_open,
	.push = cpu_push,
	.pull = cpu_pull,
	.export_carry = cpu_export_carry,
	.import_carry = cpu_import_carry,
	.start = cpu_start,
	.close = cpu_close,
	.free = cpu_free,
};

static const char *const isas[] = { "c", NULL };

const char *const *rip_cpu_isas(void)
{
	return isas;
}

int rip_cpu_isa_usable(const char *isa)
{
	return !strcasecmp(isa, "c");
}

int rip_engine_cpu_new(const struct rip_cpu_config *config, struct rip_engine **out)
{
	struct cpu_engine *engine;
	const char *isa = config->isa ? config->isa : "c";
	int known = 0;

	*out = NULL;
	for (int i = 0; isas[i]; i++)
		known |= !strcasecmp(isa, isas[i]);
	if (!known)
		return -ENOENT;
	if (!rip_cpu_isa_usable(isa))
		return -ENOTSUP;
	engine = calloc(1, sizeof *engine);
	if (!engine)
		return -ENOMEM;
	engine->base.ops = &cpu_ops;
	engine->collect = config->method != RIP_METHOD_ED;
	engine->base.method = rip_method_name(engine->collect ? RIP_METHOD_EC : RIP_METHOD_ED);
	snprintf(engine->base.device, sizeof engine->base.device, "CPU (%s)", isa);
	*out = &engine->base;
	return 0;
}
