/* An engine that fails. */
#include "config.h"

#include "failing_engine.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

struct failing_page {
	struct rip_page  base; /* first */
	struct rip_page *real;
};

/* result, or the error if calls of this kind fail now. */
static int unless_failing(struct rip_engine *base, enum fail kind, int result)
{
	struct failing_engine *engine = (struct failing_engine *)base;

	if (engine->kind != kind)
		return result;
	if (engine->good <= 0)
		return engine->error;
	engine->good--;
	return result;
}

static bool failing_takes(const struct rip_engine *base, const struct rip_page_spec *spec)
{
	const struct rip_engine *real = ((const struct failing_engine *)base)->real;

	return real->ops->takes(real, spec);
}

static int failing_open(struct rip_engine *base, const struct rip_page_spec *spec,
			struct rip_page **out)
{
	struct failing_engine *engine = (struct failing_engine *)base;
	struct failing_page *page;
	int r = unless_failing(base, FAIL_OPEN, 0);

	if (r < 0)
		return r;
	page = calloc(1, sizeof *page);
	if (!page)
		return -ENOMEM;
	page->base.engine = base;
	r = engine->real->ops->open(engine->real, spec, &page->real);
	if (r < 0)
		free(page);
	else
		*out = &page->base;
	return r;
}

/* It fails after it has written: all must be done again. */
static int failing_push(struct rip_page *base, const struct rip_strip *strips, unsigned count)
{
	struct rip_page *real = ((struct failing_page *)base)->real;

	return unless_failing(base->engine, FAIL_PUSH,
			      real->engine->ops->push(real, strips, count));
}

static int failing_pull(struct rip_page *base)
{
	struct rip_page *real = ((struct failing_page *)base)->real;

	return unless_failing(base->engine, FAIL_PULL, real->engine->ops->pull(real));
}

static int failing_export(struct rip_page *base, uint32_t plane, int16_t *carry)
{
	struct rip_page *real = ((struct failing_page *)base)->real;

	return unless_failing(base->engine, FAIL_EXPORT,
			      real->engine->ops->export_carry(real, plane, carry));
}

static int failing_import(struct rip_page *base, uint32_t plane, const int16_t *carry)
{
	struct rip_page *real = ((struct failing_page *)base)->real;

	return real->engine->ops->import_carry(real, plane, carry);
}

static void failing_close(struct rip_page *base)
{
	struct failing_page *page = (struct failing_page *)base;

	if (!page)
		return;
	page->real->engine->ops->close(page->real);
	free(page);
}

static const struct rip_engine_ops failing_ops = {
	.takes = failing_takes, .open = failing_open, .push = failing_push, .pull = failing_pull,
	.export_carry = failing_export, .import_carry = failing_import, .close = failing_close,
};

void failing_engine_init(struct failing_engine *engine, struct rip_engine *real)
{
	*engine = (struct failing_engine){
		.base = { .ops = &failing_ops, .method = "bwec", .device = "fake" },
		.real = real, .kind = FAIL_PULL, .good = INT_MAX, .error = -EIO,
	};
}
