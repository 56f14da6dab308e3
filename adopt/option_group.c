#include "option_group.h"

#include <stdio.h>
#include <string.h>

#include "system/ascii.h"

#define TEXT_BYTES_MAX 80
#define CHOICES_MAX    13

/* The texts are English; an option or a choice is translated where texts[] below knows it. */
struct group_option {
	const char *text;
	struct choice {
		const char *name;
		const char *text;   /* NULL: the name itself is shown */
		const char *number; /* before the text, or NULL */
	} choices[CHOICES_MAX + 1];
};

static const struct group_option methods = { "Computed By", {
	{ "auto", "The fastest there is", NULL },
	{ "bwec", NULL, NULL }, { "bwed", NULL, NULL }, { "pwec", NULL, NULL },
	{ "pwed", NULL, NULL }, { "simd", NULL, NULL }, { "ec", NULL, NULL },
	{ "ed", NULL, NULL },
} };

#define TOGETHER "blue-noise-colour" /* offered only where it is good */

static const struct group_option screens = { "Screen", {
	{ "clustered", "Clusters of dots (for lasers)", NULL },
	{ "clustered-106", "Clusters of dots, 106 lines an inch", NULL },
	{ "blue-noise", "Blue noise (for inkjets and labels)", NULL },
	{ "floyd-steinberg", "Floyd and Steinberg (error diffusion)", NULL },
	{ "jarvis-judice-ninke", "Jarvis, Judice and Ninke", NULL },
	{ "stucki", "Stucki", NULL },
	{ "burkes", "Burkes", NULL },
	{ "sierra", "Sierra", NULL },
	{ "atkinson", "Atkinson (more contrast)", NULL },
	{ "blue-noise-mask", "Blue noise, by a mask", NULL },
	{ "bayer", "Bayer (ordered dots)", NULL },
	{ "bi-level", "Black or white, no dots", NULL },
	{ TOGETHER, "Blue noise, the inks together (for colour inkjets)", NULL },
} };

/* The registration of printers whose inks are on one carriage. */
static const struct group_option registrations = { "Inks Meet Within", {
	{ "auto", "As is usual for inkjets", NULL },
	{ "15", "micrometres", "15" }, { "30", "micrometres", "30" }, { "60", "micrometres", "60" },
} };

static const struct group_option edges = { "Finer Cells at Edges", {
	{ "off", "No", NULL }, { "on", "Yes", NULL },
} };

static const struct group_option gains = { "Correct Dot Gain", {
	{ "none", "No", NULL },
	{ "laser", "As lasers need it", NULL },
	{ "inkjet", "As inkjets need it", NULL },
	{ "thermal", "As thermal printers need it", NULL },
	{ "10", "points", "10" }, { "15", "points", "15" }, { "20", "points", "20" },
	{ "25", "points", "25" }, { "30", "points", "30" },
} };

static const struct group_option densities = { "Density", {
	{ "50", "lightest", "50 %" },
	{ "70", NULL, "70 %" }, { "85", NULL, "85 %" },
	{ "100", "normal", "100 %" },
	{ "115", NULL, "115 %" }, { "130", NULL, "130 %" }, { "150", NULL, "150 %" },
	{ "200", "darkest", "200 %" },
} };

static const struct group_option rips = { "Documents Drawn By", {
	{ "pdftoriptide", NULL, NULL }, { "gstoraster", NULL, NULL }, { "pdftoraster", NULL, NULL },
} };

#define LANGUAGES 5

static const struct {
	const char *code, *name;
} languages[LANGUAGES] = {
	{ "en", "English" }, { "de", "German" }, { "fr", "French" }, { "es", "Spanish" },
	{ "it", "Italian" },
};

/* UTF-8, of Latin 1's letters.  What is not here is the same in all languages. */
static const char *const texts[][LANGUAGES] = {
	{ "Halftoning", "Rasterung", "Tramage", "Tramado", "Retinatura" },
	{ "Computed By", "Berechnet von", "Calculé par", "Calculado por", "Calcolato da" },
	{ "The fastest there is", "Das Schnellste", "Le plus rapide", "Lo más rápido",
	  "Il più veloce" },
	{ "Screen", "Raster", "Trame", "Trama", "Retino" },
	{ "Clusters of dots (for lasers)", "Punktgruppen (für Laserdrucker)",
	  "Points groupés (pour les lasers)", "Puntos agrupados (para láser)",
	  "Punti raggruppati (per laser)" },
	{ "Clusters of dots, 106 lines an inch", "Punktgruppen, 106 Linien pro Zoll",
	  "Points groupés, 106 lignes par pouce", "Puntos agrupados, 106 líneas por pulgada",
	  "Punti raggruppati, 106 linee per pollice" },
	{ "Blue noise (for inkjets and labels)",
	  "Blaues Rauschen (für Tintenstrahler und Etiketten)",
	  "Bruit bleu (pour jet d'encre et étiquettes)",
	  "Ruido azul (para inyección de tinta y etiquetas)",
	  "Rumore blu (per getto d'inchiostro ed etichette)" },
	{ "Floyd and Steinberg (error diffusion)", "Floyd und Steinberg (Fehlerdiffusion)",
	  "Floyd et Steinberg (diffusion d'erreur)", "Floyd y Steinberg (difusión de error)",
	  "Floyd e Steinberg (diffusione dell'errore)" },
	{ "Jarvis, Judice and Ninke", "Jarvis, Judice und Ninke", "Jarvis, Judice et Ninke",
	  "Jarvis, Judice y Ninke", "Jarvis, Judice e Ninke" },
	{ "Atkinson (more contrast)", "Atkinson (mehr Kontrast)", "Atkinson (plus de contraste)",
	  "Atkinson (más contraste)", "Atkinson (più contrasto)" },
	{ "Blue noise, by a mask", "Blaues Rauschen aus einer Maske", "Bruit bleu, par un masque",
	  "Ruido azul, con máscara", "Rumore blu, con maschera" },
	{ "Bayer (ordered dots)", "Bayer (geordnete Punkte)", "Bayer (points ordonnés)",
	  "Bayer (puntos ordenados)", "Bayer (punti ordinati)" },
	{ "Blue noise, the inks together (for colour inkjets)",
	  "Blaues Rauschen, Farben gemeinsam (für Farb-Tintenstrahler)",
	  "Bruit bleu, les encres ensemble (pour jet d'encre couleur)",
	  "Ruido azul, las tintas juntas (para inyección en color)",
	  "Rumore blu, gli inchiostri insieme (per getto a colori)" },
	{ "Inks Meet Within", "Farben treffen sich auf", "Les encres se rejoignent à",
	  "Las tintas coinciden en", "Gli inchiostri coincidono entro" },
	{ "As is usual for inkjets", "Wie bei Tintenstrahlern üblich",
	  "Comme d'habitude pour le jet d'encre", "Como es habitual en inyección de tinta",
	  "Come di solito per il getto d'inchiostro" },
	{ "micrometres", "Mikrometer", "micromètres", "micrómetros", "micrometri" },
	{ "Finer Cells at Edges", "Feinere Zellen an Kanten", "Cellules plus fines aux bords",
	  "Celdas más finas en los bordes", "Celle più fini ai bordi" },
	{ "Yes", "Ja", "Oui", "Sí", "Sì" },
	{ "Black or white, no dots", "Schwarz oder weiß, keine Punkte",
	  "Noir ou blanc, sans points", "Negro o blanco, sin puntos",
	  "Nero o bianco, senza punti" },
	{ "Correct Dot Gain", "Tonwertzuwachs ausgleichen", "Corriger l'engraissement du point",
	  "Corregir la ganancia de punto", "Correggi l'aumento del punto" },
	{ "No", "Nein", "Non", "No", "No" },
	{ "As lasers need it", "Wie für Laserdrucker", "Pour les lasers", "Para láser",
	  "Per laser" },
	{ "As inkjets need it", "Wie für Tintenstrahler", "Pour les jets d'encre",
	  "Para inyección de tinta", "Per getto d'inchiostro" },
	{ "As thermal printers need it", "Wie für Thermodrucker", "Pour les imprimantes thermiques",
	  "Para impresoras térmicas", "Per stampanti termiche" },
	{ "points", "Punkte", "points", "puntos", "punti" },
	{ "Density", "Dichte", "Densité", "Densidad", "Densità" },
	{ "lightest", "am hellsten", "la plus claire", "la más clara", "la più chiara" },
	{ "normal", "normal", "normale", "normal", "normale" },
	{ "darkest", "am dunkelsten", "la plus sombre", "la más oscura", "la più scura" },
	{ "Documents Drawn By", "Dokumente gezeichnet von", "Documents dessinés par",
	  "Documentos dibujados por", "Documenti disegnati da" },
};

enum encoding { ASCII, LATIN1, UTF8 };

/* Where the group is written, and how its texts are in one language. */
struct voice {
	struct rip_growing_text *out;
	const char   *eol;
	unsigned      language;
	enum encoding encoding;
	char          prefix[16]; /* "de." or empty: the PPD's main language */
};

/* The language of a code such as "de" or "fr_CA", or of a name such as "German"; 0 (English) if
 * there are no texts of it. */
static unsigned find_language(struct rip_slice name)
{
	for (unsigned i = 0; i < LANGUAGES; i++) {
		const char *whole = languages[i].name;

		if (name.size >= 2 && rip_same_start(name.text, languages[i].code, 2) &&
		    (name.size == 2 || name.text[2] == '_' || name.text[2] == '-'))
			return i;
		if (name.size == strlen(whole) && rip_same_start(name.text, whole, name.size))
			return i;
	}
	return 0;
}

static bool is_ascii(const char *text)
{
	while (*text && (unsigned char)*text <= 126)
		text++;
	return !*text;
}

/* Latin 1 of UTF-8 whose letters are all in Latin 1. */
static void make_latin1(char *text)
{
	char *out = text;

	for (const char *in = text; *in; in++)
		if ((unsigned char)in[0] >= 0xc0 && in[1]) {
			*out++ = (char)((in[0] & 3) << 6 | (in[1] & 63));
			in++;
		} else {
			*out++ = *in;
		}
	*out = '\0';
}

/* Puts an English text into the voice's language, unless the encoding cannot write that. */
static const char *translate(const char *english, const struct voice *voice,
			     char text[TEXT_BYTES_MAX])
{
	const char *found = english;

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (!strcmp(texts[i][0], english))
			found = texts[i][voice->language];
	snprintf(text, TEXT_BYTES_MAX, "%s",
		 voice->encoding == ASCII && !is_ascii(found) ? english : found);
	if (voice->encoding == LATIN1)
		make_latin1(text);
	return text;
}

static void write_choice(const struct choice *choice, const char *keyword,
			 const struct voice *voice)
{
	const char *number = choice->number;
	char text[TEXT_BYTES_MAX] = "";

	if (choice->text)
		translate(choice->text, voice, text);
	else if (!number)
		number = choice->name;
	rip_text_line(voice->out, voice->eol,
		      !number || !*text ? "*%s%s %s/%s%s: \"\"" :
		      strchr(number, '%') ? "*%s%s %s/%s (%s): \"\"" : "*%s%s %s/%s %s: \"\"",
		      voice->prefix, keyword, choice->name, number ? number : "", text);
}

/* An option whose default is that value, which may be none of the choices. */
static void write_option(const struct group_option *option, const char *keyword, const char *value,
			 const struct voice *voice)
{
	const struct choice other = { value, NULL, NULL }, *choice, *chosen = NULL;
	char text[TEXT_BYTES_MAX];

	for (choice = option->choices; choice->name; choice++)
		if (rip_same_name(choice->name, value))
			chosen = choice;
	translate(option->text, voice, text);
	if (*voice->prefix) {
		rip_text_line(voice->out, voice->eol, "*%sTranslation %s/%s: \"\"", voice->prefix,
			      keyword, text);
	} else {
		rip_text_line(voice->out, voice->eol, "*OpenUI *%s/%s: PickOne", keyword, text);
		rip_text_line(voice->out, voice->eol, "*OrderDependency: 20 AnySetup *%s", keyword);
		rip_text_line(voice->out, voice->eol, "*Default%s: %s", keyword,
			      chosen ? chosen->name : value);
	}
	for (choice = option->choices; choice->name; choice++)
		write_choice(choice, keyword, voice);
	if (!chosen)
		write_choice(&other, keyword, voice);
	if (!*voice->prefix)
		rip_text_line(voice->out, voice->eol, "*CloseUI: *%s", keyword);
}

static enum encoding encoding_of(const struct rip_ppd_text *ppd)
{
	const struct rip_ppd_statement *s = rip_ppd_find(ppd, "LanguageEncoding", NULL);

	if (s && rip_slice_is(s->value, "UTF-8"))
		return UTF8;
	return s && (rip_slice_is(s->value, "ISOLatin1") || rip_slice_is(s->value, "WindowsANSI")) ?
	       LATIN1 : ASCII;
}

/* Whether the vendor has an option that rastertoriptide would take for its own `halftone`. */
static bool has_halftone(const struct rip_ppd_text *ppd)
{
	for (size_t i = 0; i < ppd->count; i++)
		if (ppd->statements[i].option.size == 9 &&
		    rip_same_start(ppd->statements[i].option.text, "*halftone", 9) &&
		    rip_slice_find(ppd->statements[i].keyword, "OpenUI"))
			return true;
	return false;
}

/* Writes all of it in one language.  vendor: whether the vendor has an option `halftone`; a keyword
 * that begins with another one is a fault to cupstestppd. */
static void write_group(const struct rip_option_group *group, bool vendor,
			bool colour, const struct voice *voice)
{
	const char *class = group->printer, *screen = group->screen, *gain = group->preset;
	const bool laser = class && !strcmp(class, "laser");
	/* On lasers the inks meet too badly, label printers have one. */
	const bool together = class && !strcmp(class, "inkjet") && colour;
	struct group_option offered = screens;
	char text[TEXT_BYTES_MAX];

	if (!screen)
		screen = !class ? "floyd-steinberg" : laser ? "clustered" : "blue-noise";
	if (!gain)
		gain = class ? class : "none";
	rip_text_line(voice->out, voice->eol, *voice->prefix ?
		      "*%sTranslation Halftoning/%s: \"\"" : "*%sOpenGroup: Halftoning/%s",
		      voice->prefix, translate("Halftoning", voice, text));
	if (vendor)
		write_option(&methods, "riptideHalftone", "auto", voice);
	for (struct choice *choice = offered.choices; choice->name; choice++)
		if (!together && !strcmp(choice->name, TOGETHER))
			choice->name = NULL; /* it is the last one */
	write_option(&offered, vendor ? "riptideScreen" : "halftone-screen", screen, voice);
	if (together)
		write_option(&registrations, "riptideRegistration", "auto", voice);
	if (laser)
		write_option(&edges, "riptideEdges", "off", voice);
	write_option(&gains, "riptideDotGain", gain, voice);
	write_option(&densities, "riptideDensity", "100", voice);
	if (group->rip)
		write_option(&rips, "riptideRip", "pdftoriptide", voice);
	if (!*voice->prefix)
		rip_text_line(voice->out, voice->eol, "*CloseGroup: Halftoning");
}

void rip_option_group_write(struct rip_growing_text *out, const struct rip_ppd_text *ppd,
			    const struct rip_option_group *group, bool colour)
{
	const struct rip_ppd_statement *version = rip_ppd_find(ppd, "LanguageVersion", NULL);
	const struct rip_ppd_statement *others = rip_ppd_find(ppd, "cupsLanguages", NULL);
	struct rip_slice rest = others ? others->value : (struct rip_slice){ "", 0 }, name;
	const bool vendor = has_halftone(ppd);
	struct voice voice = { out, ppd->eol, version ? find_language(version->value) : 0,
			       encoding_of(ppd), "" };

	write_group(group, vendor, colour, &voice);
	voice.encoding = UTF8;
	while ((name = rip_slice_word(&rest)).size) {
		if (name.size < 2 || name.size > 10)
			continue;
		voice.language = find_language(name);
		snprintf(voice.prefix, sizeof voice.prefix, "%.*s.", (int)name.size, name.text);
		write_group(group, vendor, colour, &voice);
	}
}
