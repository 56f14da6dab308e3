#include "config.h"

#include "raster_choices.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "system/ascii.h"
#include "system/refuse.h"

#define OPTIONS_MAX      16
#define EFFECTS_MAX      64
#define COMBINATIONS_MAX 65536

/* What the code of some choices of an option does. */
struct effect {
	int  space, bits; /* -1: not set */
	bool gives_dots, gives_others;
};

struct raster_option {
	struct rip_slice keyword;
	double           order;
	struct effect    effects[EFFECTS_MAX];
	unsigned         count;
};

struct table {
	struct raster_option options[OPTIONS_MAX];
	unsigned      count;
};

const char *rip_space_name(int space)
{
	switch (space) {
	case RIP_SPACE_RGB: return "RGB";
	case RIP_SPACE_K: return "K";
	case RIP_SPACE_CMY: return "CMY";
	case RIP_SPACE_CMYK: return "CMYK";
	case RIP_SPACE_KCMY: return "KCMY";
	case 0: return "W";
	case 18: return "SW";
	}
	return "other";
}

const char *rip_code_number(struct rip_slice code, const char *from, const char *name)
{
	const char *at = from, *end = code.text + code.size, *name_end;

	while (at < end && (at = memmem(at, (size_t)(end - at), name, strlen(name))) != NULL) {
		const bool starts = at > code.text && at[-1] == '/';

		name_end = at += strlen(name);
		while (at < end && rip_is_space(*at))
			at++;
		if (starts && at > name_end && at < end && *at >= '0' && *at <= '9')
			return at;
	}
	return NULL;
}

/* The number that the code sets last; -1: none. */
static int last_number(struct rip_slice code, const char *name)
{
	int number = -1;

	for (const char *at = code.text; (at = rip_code_number(code, at, name)) != NULL; at++)
		number = (int)rip_slice_number((struct rip_slice){ at, (size_t)(code.text +
								   code.size - at) });
	return number;
}

/* Whether an option has that name: "*OpenUI *NAME", also in the group of JCL. */
static bool is_option(const struct rip_ppd_text *ppd, struct rip_slice keyword)
{
	for (size_t i = 0; i < ppd->count; i++) {
		const struct rip_ppd_statement *s = &ppd->statements[i];

		if ((rip_slice_is(s->keyword, "OpenUI") || rip_slice_is(s->keyword, "JCLOpenUI")) &&
		    s->option.size == keyword.size + 1 && s->option.text[0] == '*' &&
		    !memcmp(s->option.text + 1, keyword.text, keyword.size))
			return true;
	}
	return false;
}

/* "*OrderDependency: 10 AnySetup *NAME"; 10 if there is none. */
static double order_of(const struct rip_ppd_text *ppd, struct rip_slice keyword)
{
	char text[32];

	for (size_t i = 0; i < ppd->count; i++) {
		const struct rip_slice value = ppd->statements[i].value;

		if (rip_slice_is(ppd->statements[i].keyword, "OrderDependency") &&
		    value.size < 200 && value.size > keyword.size &&
		    value.text[value.size - keyword.size - 1] == '*' &&
		    !memcmp(value.text + value.size - keyword.size, keyword.text, keyword.size)) {
			snprintf(text, sizeof text, "%.*s", (int)value.size, value.text);
			return strtod(text, NULL);
		}
	}
	return 10;
}

static struct raster_option *find_option(struct table *table, struct rip_slice keyword)
{
	for (unsigned i = 0; i < table->count; i++)
		if (rip_slice_equal(table->options[i].keyword, keyword))
			return &table->options[i];
	return NULL;
}

static struct raster_option *add_option(struct table *table, const struct rip_ppd_text *ppd,
					struct rip_slice keyword)
{
	const struct raster_option added = { .keyword = keyword, .order = order_of(ppd, keyword) };
	struct raster_option *option = &table->options[table->count];

	if (table->count++ == OPTIONS_MAX)
		return NULL;
	for (; option > table->options && option[-1].order > added.order; option--)
		*option = option[-1];
	*option = added;
	return option;
}

static struct effect *effect_of(struct raster_option *option, int space, int bits)
{
	for (unsigned i = 0; i < option->count; i++)
		if (option->effects[i].space == space && option->effects[i].bits == bits)
			return &option->effects[i];
	if (option->count == EFFECTS_MAX)
		return NULL;
	option->effects[option->count] = (struct effect){ space, bits, false, false };
	return &option->effects[option->count++];
}

/* Collects the options that matter and what their choices do. */
static int collect(struct rip_raster_choices *choices, const struct rip_ppd_text *ppd,
		   struct table *table)
{
	/* First the choices whose code sets any of the two, then the others of the same options. */
	for (unsigned pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < ppd->count; i++) {
			const struct rip_ppd_statement *s = &ppd->statements[i];
			const int space = last_number(s->value, "cupsColorSpace");
			const int bits = last_number(s->value, "cupsBitsPerColor");
			struct raster_option *option = find_option(table, s->keyword);

			if (!s->keyword.size || !s->option.size || !s->value.size ||
			    (space < 0 && bits < 0) != (pass == 1) ||
			    (!option && (pass == 1 || !is_option(ppd, s->keyword))))
				continue;
			if (!option)
				option = add_option(table, ppd, s->keyword);
			if (!option || !effect_of(option, space, bits) || space >= RIP_SPACES)
				return -E2BIG;
			choices->statements[i].space = space;
			choices->statements[i].sets_one_bit = bits == 1;
			choices->statements[i].sets_contone = bits > 1;
		}
	return 0;
}

/* Notes what one combination asks for.  chosen: the effect of each option. */
static void note(struct rip_raster_choices *choices, struct table *table, const unsigned *chosen)
{
	int space = RIP_SPACE_K, bits = 1; /* what CUPS takes where nothing is set */
	struct effect *in_force = NULL;
	bool set = false;

	for (unsigned i = 0; i < table->count; i++) {
		struct effect *effect = &table->options[i].effects[chosen[i]];

		if (effect->space >= 0)
			space = effect->space;
		if (effect->bits >= 0) {
			bits = effect->bits;
			in_force = effect;
			set = true;
		}
	}
	if (bits != 1)
		choices->contone_spaces |= 1ull << space;
	else if (!(RIP_INK_SPACES >> space & 1))
		choices->other_spaces |= 1ull << space;
	else if (set)
		choices->dot_spaces |= 1ull << space;
	choices->unset |= !set;
	if (in_force && bits == 1) {
		in_force->gives_dots |= RIP_INK_SPACES >> space & 1;
		in_force->gives_others |= !(RIP_INK_SPACES >> space & 1);
	}
}

static int combine(struct rip_raster_choices *choices, struct table *table)
{
	unsigned chosen[OPTIONS_MAX] = { 0 }, i;
	unsigned long combinations = 1;

	for (i = 0; i < table->count; i++) {
		combinations *= table->options[i].count;
		if (combinations > COMBINATIONS_MAX)
			return -E2BIG;
	}
	for (;;) {
		note(choices, table, chosen);
		for (i = 0; i < table->count && ++chosen[i] == table->options[i].count; i++)
			chosen[i] = 0;
		if (i == table->count)
			return 0;
	}
}

/* Tells each statement what its effect was found to give. */
static void spread(struct rip_raster_choices *choices, const struct rip_ppd_text *ppd,
		   struct table *table)
{
	for (size_t i = 0; i < ppd->count; i++) {
		struct rip_raster_statement *r = &choices->statements[i];
		const struct effect *effect;

		if (!r->sets_one_bit)
			continue;
		effect = effect_of(find_option(table, ppd->statements[i].keyword), r->space, 1);
		r->gives_dots = effect->gives_dots;
		r->gives_others = effect->gives_others;
	}
}

int rip_raster_choices_find(struct rip_raster_choices *choices, const struct rip_ppd_text *ppd,
			    char *why, size_t size)
{
	struct table *table = calloc(1, sizeof *table);
	int r = -ENOMEM;

	*choices = (struct rip_raster_choices){
		.statements = calloc(ppd->count + 1, sizeof *choices->statements),
	};
	for (size_t i = 0; choices->statements && i < ppd->count; i++)
		choices->statements[i].space = -1;
	if (table && choices->statements)
		r = collect(choices, ppd, table);
	if (r == 0)
		r = combine(choices, table);
	if (r == 0)
		spread(choices, ppd, table);
	else
		rip_refuse_as(r, why, size, "%s", r == -ENOMEM ? "out of memory" :
			       "its choices of colours and bits have too many combinations");
	free(table);
	if (r < 0)
		rip_raster_choices_finish(choices);
	return r;
}

void rip_raster_choices_finish(struct rip_raster_choices *choices)
{
	free(choices->statements);
	choices->statements = NULL;
}
