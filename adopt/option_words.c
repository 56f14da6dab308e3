#include "option_words.h"

#include <stdio.h>
#include <string.h>

#include "system/ascii.h"

static const struct language {
	const char *code, *name;
	const char *words[RIP_WORDS]; /* UTF-8, of Latin 1's letters */
} languages[] = {
	{ "en", "English", {
		"Halftoning", "Computed By", "The fastest there is", "Screen",
		"Clusters of dots (for lasers)", "Clusters of dots, 106 lines an inch",
		"Blue noise (for inkjets and labels)", "Floyd and Steinberg (error diffusion)",
		"Jarvis, Judice and Ninke", "Stucki", "Burkes", "Sierra",
		"Atkinson (more contrast)", "Blue noise, by a mask", "Bayer (ordered dots)",
		"Black or white, no dots",
		"Correct Dot Gain", "No", "As lasers need it", "As inkjets need it",
		"As thermal printers need it", "points", "Density", "lightest", "normal", "darkest",
		"Documents Drawn By" } },
	{ "de", "German", {
		"Rasterung", "Berechnet von", "Das Schnellste", "Raster",
		"Punktgruppen (für Laserdrucker)", "Punktgruppen, 106 Linien pro Zoll",
		"Blaues Rauschen (für Tintenstrahler und Etiketten)",
		"Floyd und Steinberg (Fehlerdiffusion)",
		"Jarvis, Judice und Ninke", "Stucki", "Burkes", "Sierra",
		"Atkinson (mehr Kontrast)", "Blaues Rauschen aus einer Maske",
		"Bayer (geordnete Punkte)", "Schwarz oder weiß, keine Punkte",
		"Tonwertzuwachs ausgleichen", "Nein", "Wie für Laserdrucker",
		"Wie für Tintenstrahler", "Wie für Thermodrucker", "Punkte",
		"Dichte", "am hellsten", "normal", "am dunkelsten",
		"Dokumente gezeichnet von" } },
	{ "fr", "French", {
		"Tramage", "Calculé par", "Le plus rapide", "Trame",
		"Points groupés (pour les lasers)", "Points groupés, 106 lignes par pouce",
		"Bruit bleu (pour jet d'encre et étiquettes)",
		"Floyd et Steinberg (diffusion d'erreur)",
		"Jarvis, Judice et Ninke", "Stucki", "Burkes", "Sierra",
		"Atkinson (plus de contraste)", "Bruit bleu, par un masque",
		"Bayer (points ordonnés)", "Noir ou blanc, sans points",
		"Corriger l'engraissement du point", "Non", "Pour les lasers",
		"Pour les jets d'encre", "Pour les imprimantes thermiques", "points",
		"Densité", "la plus claire", "normale", "la plus sombre",
		"Documents dessinés par" } },
	{ "es", "Spanish", {
		"Tramado", "Calculado por", "Lo más rápido", "Trama",
		"Puntos agrupados (para láser)", "Puntos agrupados, 106 líneas por pulgada",
		"Ruido azul (para inyección de tinta y etiquetas)",
		"Floyd y Steinberg (difusión de error)",
		"Jarvis, Judice y Ninke", "Stucki", "Burkes", "Sierra",
		"Atkinson (más contraste)", "Ruido azul, con máscara", "Bayer (puntos ordenados)",
		"Negro o blanco, sin puntos", "Corregir la ganancia de punto", "No", "Para láser",
		"Para inyección de tinta", "Para impresoras térmicas", "puntos",
		"Densidad", "la más clara", "normal", "la más oscura",
		"Documentos dibujados por" } },
	{ "it", "Italian", {
		"Retinatura", "Calcolato da", "Il più veloce", "Retino",
		"Punti raggruppati (per laser)", "Punti raggruppati, 106 linee per pollice",
		"Rumore blu (per getto d'inchiostro ed etichette)",
		"Floyd e Steinberg (diffusione dell'errore)",
		"Jarvis, Judice e Ninke", "Stucki", "Burkes", "Sierra",
		"Atkinson (più contrasto)", "Rumore blu, con maschera", "Bayer (punti ordinati)",
		"Nero o bianco, senza punti", "Correggi l'aumento del punto", "No", "Per laser",
		"Per getto d'inchiostro", "Per stampanti termiche", "punti",
		"Densità", "la più chiara", "normale", "la più scura",
		"Documenti disegnati da" } },
};

unsigned rip_language_find(struct rip_slice name)
{
	for (unsigned i = 0; i < sizeof languages / sizeof *languages; i++) {
		const struct language *l = &languages[i];

		if (name.size >= 2 && rip_same_start(name.text, l->code, 2) &&
		    (name.size == 2 || name.text[2] == '_' || name.text[2] == '-'))
			return i;
		if (name.size == strlen(l->name) && rip_same_start(name.text, l->name, name.size))
			return i;
	}
	return 0;
}

/* Latin 1 of UTF-8 whose letters are all in Latin 1. */
static void make_latin1(char *text)
{
	char *out = text;

	for (const unsigned char *in = (const unsigned char *)text; *in; in++) {
		if (in[0] >= 0xc0 && in[1]) {
			*out++ = (char)((in[0] & 3) << 6 | (in[1] & 63));
			in++;
		} else {
			*out++ = (char)*in;
		}
	}
	*out = '\0';
}

const char *rip_word_text(enum rip_word word, unsigned language, enum rip_encoding encoding,
			  char text[RIP_WORD_BYTES_MAX])
{
	const char *utf8 = languages[language].words[word];

	if (encoding == RIP_ENCODING_ASCII)
		for (const char *c = utf8; *c; c++)
			if ((unsigned char)*c > 126)
				utf8 = languages[0].words[word];
	snprintf(text, RIP_WORD_BYTES_MAX, "%s", utf8);
	if (encoding == RIP_ENCODING_LATIN1)
		make_latin1(text);
	return text;
}
