"""What tests/app/web.sh asks the pages: web.py PART PORT FOLDER."""
import hashlib
import os
import re
import struct
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

part, port, folder = sys.argv[1:]
failed = False


def complain(text):
    global failed
    failed = True
    print("FAILED:", text)


def check(right, text):
    if not right:
        complain(f"{part}: {text}")


cookie = ""


def send(path, language, data):
    """The server's answer, which may be an error."""
    request = urllib.request.Request(f"http://localhost:{port}{path}", data=data,
                                     headers={"Accept-Language": language})
    if cookie:  # PAPPL 2 sends an empty one back, before its own
        request.add_header("Cookie", cookie)
    try:
        return urllib.request.urlopen(request, timeout=100)
    except urllib.error.HTTPError as error:
        return error


def ask(path, language="en", form=None, token=True):
    """A status, what the server sends, and its type.  form: is posted, with its page's token."""
    data = None
    if form is not None:
        form = dict(form)
        if token is True:
            form["session"] = token_of(path)
        elif token:
            form["session"] = token
        data = urllib.parse.urlencode(form).encode()
    with send(path, language, data) as answer:
        return answer.status, answer.read(), answer.headers.get_content_type()


def log_in():
    global cookie
    with open(f"{folder}/state/web-password") as file:
        password = file.read().strip()
    form = {"session": token_of("/laser/screens"), "password": password}
    with send("/laser/screens", "en", urllib.parse.urlencode(form).encode()) as answer:
        check('<h1 class="title">Screens' in answer.read().decode(), "the login's page")
        cookie = answer.headers.get("Set-Cookie", "").split(";")[0]


def page(path, language="en", form=None, token=True):
    status, body, kind = ask(path, language, form, token)
    check(status == 200 and kind == "text/html", f"{path}: status {status}, {kind}")
    return body.decode()


def token_of(path):
    found = re.search(r'name="session" value="([0-9a-f]{64})"', page(path))
    return found.group(1) if found else complain(f"{part}: no token on {path}") or ""


def banner(html):
    found = re.search(r'<div class="banner">([^<]*)</div>', html)
    return found.group(1).strip() if found else None


WRONG = "The printer does not know this value, so nothing was changed."
STALE = "This page was older than the server, so nothing was changed. Please send it again."
SAVED = "Saved: the next pages are printed so."


def used(printer="laser"):
    """The screen that the printer uses, and the level of toner save."""
    html = page(f"/{printer}/printing")
    return tuple(re.search(rf'name="{name}" value="([^"]*)" checked', html).group(1)
                 for name in ("halftone-screen", "toner-save"))


def show():
    for name, english, german in (("screens", "Screens", "Raster"),
                                  ("printing", "Printing Defaults", "Voreinstellungen"),
                                  ("calibrate", "Calibrate", "Kalibrieren"),
                                  ("ink", "Ink", "Verbrauch")):
        for printer in ("laser", "photo", "gone"):
            for language, short, title in (("en-GB,en;q=0.5", "en", english),
                                           ("de-AT, en;q=0.8", "de", german),
                                           ("xx, da, de;q=0.1", "de", german),
                                           ("", "en", english)):
                html = page(f"/{printer}/{name}", language)
                check(f'<h1 class="title">{title}' in html, f"{name} in {language}: {title}")
                check(f'lang="{short}"' in html, f"{name} in {language}: no {short}")
                # PAPPL 2 has some of its own, above the heading
                check("<script" not in html.partition("<h1")[2], f"{name} has JavaScript")
                check(html.rstrip().endswith("</html>"), f"{name} has no end")
        check(f">{german}</a>" in page("/laser/media", "de") or name == "printing",
              f"PAPPL's page has no link {german}")
    status, style, kind = ask("/riptide.css")
    check(status == 200 and kind == "text/css" and b".riptide" in style, "style sheet")
    screens = page("/laser/screens")
    check(len(re.findall("<figure", screens)) == 5, "not the usual screens")
    check(len(re.findall("<figure", page("/laser/screens?all=1"))) == 12, "not all screens")
    check(len(re.findall('class="used"', screens)) == 1, "no screen is used")
    # Every picture's address is one that is answered; one of each printer is enough.
    check('src="/laser/preview.png?screen=clustered&amp;view=paper&amp;density=100&amp;save=0"'
          in screens, "address of a picture")
    check("halftone-registration" in page("/photo/printing"), "options of the driver")


KEPT = "/photo/preview.png?screen=blue-noise&density=100&save=0"


def size_of(picture):
    check(picture[:8] == b"\x89PNG\r\n\x1a\n", "no PNG")
    return struct.unpack(">II", picture[16:24])


def preview():
    paper = "/laser/preview.png?screen=blue-noise&density=100&save=0"
    status, first, kind = ask(paper)
    check(status == 200 and kind == "image/png", f"status {status}, {kind}")
    check(size_of(first) == (480, 352), f"the picture has {size_of(first)}")
    with open(f"{folder}/first.png", "wb") as file:
        file.write(first)
    made = os.listdir(f"{folder}/state/cache/web")
    check(sum(name.endswith(".png") for name in made) == 1, f"kept: {made}")
    check(ask(paper)[1] == first, "the second time, another picture")
    check(os.listdir(f"{folder}/state/cache/web") == made, "the picture is made twice")
    status, dots, kind = ask(paper.replace("save=0", "save=3") + "&view=dots")
    check(status == 200 and size_of(dots) == (480, 352), f"dots: {status}, {size_of(dots)}")
    check(dots != first, "both views are one")
    for bad in ("screen=../../../etc/passwd", "screen=%3Btouch%20x", "screen=-o", "screen=",
                "screen=--ppd", "screen=" + "a" * 1500, "screen=Clustered",
                "density=101", "density=-1", "save=9", "save=0%0a", "view=", "view=%3Cb%3E"):
        status, body, _ = ask("/laser/preview.png?" + bad)
        check(status == 400, f"{bad[:40]} is answered with {status}")
        check(b"<" not in body, f"{bad[:40]} comes back")
    check(ask("/laser/preview.png", form={"screen": "clustered"}, token="0")[0] == 400, "a form")
    check(sum(name.endswith(".png") for name in os.listdir(f"{folder}/state/cache/web")) == 2,
          "refused pictures are kept")
    check(ask(KEPT)[0] == 200, "a picture in colour")


def forms():
    check(used() == ("clustered", "0"), f"defaults: {used()}")
    for path, form in (("/laser/screens", {"use": "stucki"}),
                       ("/laser/printing", {"halftone-screen": "stucki"}),
                       ("/laser/calibrate", {"action": "save", "K500": 36})):
        for token in (None, "0", "0" * 64):
            check(banner(page(path, form=form, token=token)) == STALE, f"{path}: token {token}")
        check(banner(page(path, "de", form, None)).startswith("Diese Seite war"), "in German")
    check(used() == ("clustered", "0"), "a form without a token changed something")
    check(banner(page("/laser/screens", form={"use": "stucki"})) == SAVED, "a screen")
    check(used() == ("stucki", "0"), "the screen is not saved")
    check('class="used"' in page("/laser/screens"), "a rare screen in use is not shown")
    for value in ("", "<script>alert(1)</script>", "stucki'", "no-such-screen", "-x"):
        html = page("/laser/screens", form={"use": value})
        check(banner(html) == WRONG and "alert(1)" not in html, f"screen {value}")
    for name, value in (("print-quality", "best"), ("sides", "9"), ("toner-save", "4"),
                        ("toner-save", "-1"), ("halftone-density", "1e9"),
                        ("print-color-mode", "color"), ("media-source", "<b>"),
                        ("printer-resolution", "601x600"), ("print-scaling", "x" * 2000)):
        form = {"halftone-screen": "bayer", "toner-save": "1", name: value}
        check(banner(page("/laser/printing", form=form)) == WRONG, f"{name}={value[:20]}")
    check(used() == ("stucki", "0"), "a wrong form changed something")
    form = {"print-quality": "high", "halftone-screen": "clustered", "toner-save": "2",
            "sides": "two-sided-long-edge", "media-source": "tray-2", "printer-resolution":
            "300x300", "print-scaling": "fit", "halftone-density": "85"}
    html = page("/laser/printing", form=form)
    check(banner(html) == SAVED, f"all at once: {banner(html)}")
    for name, value in form.items():
        check(re.search(rf'value="{value}" (checked|selected)', html), f"{name}={value} is lost")
    check(used("photo")[0] == "blue-noise", "another printer changed")
    # Pictures have the printer's resolution, and grey if that is its default.
    status, picture, _ = ask("/laser/preview.png?screen=blue-noise&density=100&save=0")
    with open(f"{folder}/first.png", "rb") as file:
        check(status == 200 and picture != file.read(), "300 dpi looks like 600")
    kept = ask(KEPT)[1]
    check(banner(page("/photo/printing", form={"print-color-mode": "monochrome"})) == SAVED, "grey")
    check(len(ask(KEPT)[1]) < len(kept) * 2 / 3, "grey is larger than colour")
    page("/photo/printing", form={"print-color-mode": "auto"})
    check(ask(KEPT)[1] == kept, "colour again")
    html = page('/laser/screens?density="><script>alert(1)</script>&view=dots'.replace('"', "%22")
                .replace("<", "%3C").replace(">", "%3E"))
    check(banner(html) == WRONG and "alert(1)" not in html, "a look is not checked")


READINGS = {"K125": 8, "K250": 16, "K500": 36, "K750": 60, "K875": 76, "screen": "clustered"}


def digest(ending):
    try:
        with open(f"{folder}/state/calibration/laser{ending}", "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()
    except FileNotFoundError:
        return None


def press(action, language="en", **form):
    return page("/laser/calibrate", language, {"action": action, **form})


def calibrate():
    html = press("look", **READINGS)
    check(banner(html) is None and "<svg" in html, f"the curve: {banner(html)}")
    check("The readings agree well." in html, "readings that agree")
    check("Die Angaben best" in press("look", "de", K500=36, screen="clustered"), "one alone")
    check(re.search(r'name="K500" value="36" checked', html), "a reading is forgotten")
    check(os.listdir(f"{folder}/state/calibration") == [], "looking leaves a file")
    check(banner(press("save", **READINGS)) == SAVED, "the calibration is not saved")
    first = digest(".cal")
    check(first and not digest(".cal.old"), "the first one")
    check(banner(press("undo")) == "There is no such calibration.", "nothing to go back to")
    check(banner(press("save", **{**READINGS, "K500": 40})) == SAVED, "the second one")
    second = digest(".cal")
    check(second not in (None, first) and digest(".cal.old") == first, "the second one's files")
    check(banner(press("undo")) == "The earlier calibration is back.", "undo")
    check((digest(".cal"), digest(".cal.old")) == (first, second), "undo")
    press("without")
    check((digest(".cal"), digest(".cal.old")) == (None, first), "without")
    press("undo")
    check((digest(".cal"), digest(".cal.old")) == (first, None), "back to the calibration")
    for form in ({"K500": 9}, {"K500": 37000000}, {"K500": "36;x"}, {"K500": "<i>", "K250": 16},
                 {"screen": "bi-level", "K500": 36}, {"screen": "../x", "K500": 36}):
        html = press("save", **form)
        check(banner(html) == WRONG and "<i>" not in html, f"readings {form}: {banner(html)}")
    for form in ({}, {"C500": 20}):
        check(banner(press("save", **form)) == "Choose a patch in at least one row.", f"{form}")
    check(banner(press("format-disk")) == WRONG, "an action")
    check(banner(press("save", K125=24, K875=38, screen="clustered")).startswith("That did not"),
          "readings that contradict each other")
    check((digest(".cal"), digest(".cal.old")) == (first, None), "a refused one changed something")
    check(os.listdir(f"{folder}/state/calibration") == ["laser.cal"], "files are left")
    check('name="C500"' in page("/photo/calibrate"), "inks of a colour printer")


def ink():
    html = page("/laser/ink")
    check("&lt;b>name&lt;/b>" in html and "<b>name" not in html, "the job's name")
    sums = re.findall(r'Black</td><td class="number">([0-9.]+)</td>', html)
    jobs = re.findall(r'<span class="area">Black ([0-9.]+)</span>', html)
    check(len(sums) == 1 and sums == jobs and float(sums[0]) > 1, f"sums {sums}, jobs {jobs}")
    check(jobs[0].replace(".", ",") in page("/laser/ink", "de"), "a comma")
    check("Nothing was printed yet." in page("/photo/ink"), "an idle printer")
    with open(f"{folder}/state/cache/web/laser-jobs", "r+") as file:
        line = file.read()
        file.write(line) # as a job's second part does
    twice = re.findall(r'<span class="area">Black ([0-9.]+)</span>', page("/laser/ink"))
    check(len(twice) == 1 and abs(float(twice[0]) - 2 * float(jobs[0])) < .2, f"parts: {twice}")


def chart():
    check(used()[1] == "2", "the printer saves toner")
    check(banner(press("print", screen="clustered")) == "The chart is being printed.", "the chart")


def gone():
    page("/gone/delete", form={})
    for name in ("screens", "preview.png", "printing", "calibrate", "ink"):
        check(ask(f"/gone/{name}")[0] == 404, f"{name} of a printer that is deleted")
    page("/laser/screens")


def strangers(is_closed):
    """PAPPL's page for media is closed, and so are all of ours, with and without a form."""
    for name in ("media", "screens", "preview.png", "printing", "calibrate", "ink"):
        check(is_closed(ask(f"/laser/{name}")), f"{name} is open")
        for token in (None, "0" * 64):
            form = {"use": "bayer", "action": "save", "K500": "36", "password": "x"}
            check(is_closed(ask(f"/laser/{name}", form=form, token=token)), f"{name}: a form")


def password():
    strangers(lambda answer: b"<h1 class=\"title\">Login</h1>" in answer[1] and
              b"riptide.css" not in answer[1])


def closed():
    strangers(lambda answer: answer[0] == 401)


def lines(name):
    try:
        with open(f"{folder}/{name}") as file:
            return len(file.readlines())
    except FileNotFoundError:
        return 0


def slow():
    """30 pictures at once, of which 2 are made, 24 wait and 4 are refused."""
    answers = []
    screens = ("atkinson", "bayer", "bi-level", "burkes", "stucki", "sierra")
    threads = [threading.Thread(target=lambda query=f"screen={screen}&density={density}": answers
                                .append(ask(f"/laser/preview.png?{query}")[0]))
               for screen in screens for density in (50, 70, 115, 130, 150)]
    for thread in threads:
        thread.start()
    while len(answers) < 4 or lines("began") < 2:
        time.sleep(.02)
    check(answers == [503] * 4, f"at once: {answers}")
    page("/laser/ink")
    page("/laser")
    check(ask(KEPT)[0] == 200, "a picture that was made before waits")
    check(lines("began") == 2, f"{lines('began')} children at a time")
    with open(f"{folder}/go", "w"):
        pass
    for thread in threads:
        thread.join()
    check(sorted(answers) == [500] * 26 + [503] * 4, f"in the end: {answers}")
    html = press("look", **READINGS)
    check("riptide: &lt;i>no&lt;/i>" in html, "the command's words")


if part not in ("password", "closed"):
    log_in()
globals()[part]()
sys.exit(failed)
