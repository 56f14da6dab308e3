/*
 * Any bytes as a PPD: it is refused with a reason that a terminal can show, or split into
 * statements that are all of it; if it can be adopted, release restores it; and a text with
 * comments like those of adopt is restored or refused.
 */
#include "tests/fuzz/fuzz.h"

#include "adopt/edit.h"

/* The statements follow each other, and their parts lie in them. */
static void check_statements(const struct rip_ppd_text *ppd, const char *text, size_t size)
{
	const char *at = text;

	for (size_t i = 0; i < ppd->count; i++) {
		const struct rip_ppd_statement *s = &ppd->statements[i];
		const struct rip_slice parts[] = { s->keyword, s->option, s->value };

		insist(s->all.text == at && s->all.size > 0);
		at += s->all.size;
		for (unsigned j = 0; j < 3; j++)
			insist(!parts[j].size || (parts[j].text >= s->all.text &&
						  parts[j].text + parts[j].size <= at));
	}
	insist(at == text + size);
}

static void check_edit(const struct rip_ppd_text *ppd, bool chain, bool rip, const char *text,
		       size_t size)
{
	struct rip_growing_text out = { .size = 0 }, back = { .size = 0 };
	struct rip_adoption verdict;
	struct rip_edit_plan plan = { &verdict, chain, rip, { .rip = rip } };
	char why[400];
	int r;

	insist(rip_adoption_judge(&verdict, ppd, chain) == 0);
	insist_reason(verdict.reason, sizeof verdict.reason);
	plan.group.printer = verdict.printer;
	r = rip_edit_write(&out, ppd, &plan, why, sizeof why);
	if (r < 0) {
		insist(r == -EINVAL);
		insist_reason(why, sizeof why);
	} else {
		insist(rip_record_restore(&back, out.bytes, out.size, why, sizeof why) == 0);
		insist(back.size == size && !memcmp(back.bytes, text, size));
	}
	rip_text_free(&back);
	rip_text_free(&out);
	rip_adoption_finish(&verdict);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct rip_growing_text out = { .size = 0 };
	struct rip_ppd_text ppd;
	char why[400] = "";

	if (rip_ppd_text_parse(&ppd, text, size, why, sizeof why) == 0) {
		check_statements(&ppd, text, size);
		check_edit(&ppd, false, false, text, size);
		check_edit(&ppd, false, true, text, size);
		check_edit(&ppd, true, false, text, size);
		check_edit(&ppd, true, true, text, size);
	} else {
		insist_reason(why, sizeof why);
	}
	rip_ppd_text_finish(&ppd);
	*why = '\0';
	if (rip_record_restore(&out, text, size, why, sizeof why) < 0)
		insist_reason(why, sizeof why);
	rip_text_free(&out);
	return 0;
}
