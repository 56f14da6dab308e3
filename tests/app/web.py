"""What tests/app/web.sh asks the pages: web.py PART PORT FOLDER."""
import getpass
import hashlib
import os
import re
import shutil
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


def upload(path, fields, file=None, cut=None):
    """A form with a file, or the first bytes of one.  The answer as of ask()."""
    body = b""
    for name, value in fields.items():
        body += (f'--XyZ\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n'
                 f"{value}\r\n").encode()
    if file is not None:
        body += (f'--XyZ\r\nContent-Disposition: form-data; name="ppd"; filename="{file[0]}"\r\n'
                 "Content-Type: application/octet-stream\r\n\r\n").encode() + file[1] + b"\r\n"
    body += b"--XyZ--\r\n"
    request = urllib.request.Request(f"http://localhost:{port}{path}", data=body[:cut], headers={
        "Cookie": cookie, "Content-Type": "multipart/form-data; boundary=XyZ"})
    try:
        answer = urllib.request.urlopen(request, timeout=100)
    except urllib.error.HTTPError as error:
        answer = error
    with answer:
        return answer.status, answer.read(), answer.geturl()


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
    status, style, kind = ask("/style.css")
    check(status == 200 and kind == "text/css" and b".riptide" in style and
          b"http" not in style and b"@import" not in style, "style sheet")
    screens = page("/laser/screens")
    check(len(re.findall("<figure", screens)) == 5, "not the usual screens")
    check(len(re.findall("<figure", page("/laser/screens?all=1"))) == 12, "not all screens")
    check(len(re.findall('class="used"', screens)) == 1, "no screen is used")
    # Every picture's address is one that is answered; one of each printer is enough.
    check('src="/laser/preview.png?screen=clustered&amp;view=paper&amp;density=100&amp;save=0"'
          in screens, "address of a picture")
    check("halftone-registration" in page("/photo/printing"), "options of the driver")
    check("Black on colours" in page("/photo/printing"), "a title of an option")


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
    many = {f"x{i}": "" for i in range(600)}
    check(banner(page("/laser/screens", form={**many, "use": "bayer"})) == STALE, "600 fields")
    many["session"] = token_of("/laser/screens")
    html = upload("/laser/screens", {**many, "use": "bayer"})[1].decode()
    check(banner(html) == STALE, "600 parts")
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


def add():
    """Printers with drivers that are uploaded; sink: where they print to."""
    with open(f"{folder}/laserjet.ppd", "rb") as file:
        ppd = file.read()
    with open(f"{folder}/sink") as file:
        address = f"localhost:{file.read().strip()}"
    token = token_of("/addprinter")
    fields = {"session": token, "name": "vendor", "device": "", "address": address,
              "driver": "auto"}

    def try_to(what, file=None, **changed):
        answer = upload("/addprinter", {**fields, **changed}, file)
        said = banner(answer[1].decode()) or ""
        check(answer[0] == 200 and what in said, f"{changed}, {file and file[0]}: {said}")
        check("\n" not in said and "<i>" not in answer[1].decode(), f"not one line: {said}")
        return said

    ppds = f"{folder}/state/ppd"
    for name, bytes_ in (("broken.ppd", b'*PPD-Adobe: "4.3"\nnonsense\n'),
                         ("zeros.ppd", bytes(999)), ("text.ppd", b"Hello"),
                         ("../../<i>.ppd", b"\xff\xfe" * 400)):
        said = try_to("That did not work:", (name, bytes_))
        check(os.path.basename(name).replace("<i>", "") in said.replace("_i_", ""), f"name: {said}")
        check(folder not in said, f"our folder: {said}")
    try_to("The file is larger than 2 MB", ("large.ppd", ppd + b"%" * (2 << 20)))
    try_to(STALE, ("good.ppd", ppd), session="0" * 64)
    try_to("A printer needs a name", ("good.ppd", ppd), name="")
    try_to("A printer needs a name", ("good.ppd", ppd), name="9 <i>")
    try_to("There is a printer of this name.", ("good.ppd", ppd), name="laser")
    for address in ("", "file:///tmp/x", "a b", "x:99999", "ftp://x/", "x;y"):
        try_to("Choose a printer", ("good.ppd", ppd), address=address)
    try_to("Choose a printer", ("good.ppd", ppd), device="file:///tmp/x|")
    for where in ("address", "device"):
        try_to("Choose a printer", **{where: f"socket://{1015 * 'x'}"})
    for driver in ("auto", "", "../../x", "no-such"):
        try_to("There is no driver", driver=driver)
    # A device that was found stays chosen.
    html = upload("/addprinter", {**fields, "device": "dnssd://<a>/|MFG:b;", "driver": "no-such"})
    check('<option value="dnssd://&lt;a>/|MFG:b;" selected>dnssd://&lt;a>/</option>' in
          html[1].decode(), "the device is forgotten")
    with open(f"{folder}/command.ppd", "rb") as file:
        try_to("This PPD names a program", ("command.ppd", file.read()))
    cups = b"application/vnd.cups-raster 50 "
    for before, after in ((b"*cupsFilter:", b'*RIPTIDENext\x01Filter: "/bin/x"\n*cupsFilter:'),
                          (cups, cups + b"/bin/")):
        try_to("This PPD names a program", ("next.ppd", ppd.replace(before, after, 1)))
    check(os.listdir(ppds) == [], f"left: {os.listdir(ppds)}")
    check("vendor" not in page("/"), "a printer came of that")
    # A form that ends anywhere: nothing comes of it, and the server goes on.
    for cut in list(range(1, 700, 71)) + [-1, -5, -9, -12]:
        answer = upload("/addprinter", fields, ("good.ppd", b"short"), cut)
        check(answer[0] == 200 and banner(answer[1].decode()), f"cut at {cut}")
    check(os.listdir(ppds) == [], f"left: {os.listdir(ppds)}")

    answer = upload("/addprinter", fields, ("HP LaserJet.ppd", ppd))
    check(answer[2].endswith("/vendor/") and b"Ready." in answer[1], f"added: {answer[2]}")
    check(os.listdir(ppds) == ["HP_LaserJet.ppd"], f"kept: {os.listdir(ppds)}")
    upload("/addprinter", {**fields, "name": "again"}, ("HP LaserJet.ppd", ppd))
    check(os.listdir(ppds) == ["HP_LaserJet.ppd"], f"the same twice: {os.listdir(ppds)}")
    other = ppd.replace(b"LaserJet Series", b"LaserJet Other")
    answer = upload("/addprinter", {**fields, "name": "other"}, ("HP LaserJet.ppd", other))
    check(sorted(os.listdir(ppds)) == ["HP_LaserJet-2.ppd", "HP_LaserJet.ppd"],
          f"another: {os.listdir(ppds)}")
    for name in ("own", "shared"):
        driver = {"own": "zpl-203", "shared": "HP_LaserJet"}[name]
        answer = upload("/addprinter", {**fields, "name": name, "driver": driver})
        check(answer[2].endswith(f"/{name}/"), f"{driver}: {banner(answer[1].decode())}")
    for name in ("twice", "double", "eight"):
        said, form = [], {**fields, "name": name, "driver": "zpl-203"}
        threads = [threading.Thread(target=lambda: said.append(
            banner(upload("/addprinter", form)[1].decode()))) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        check(said.count("There is a printer of this name.") == 7, f"8 of one name: {said}")
        check(page("/").count(f'href="/{name}/"') == 1, f"printers {name}")
    check('value="HP_LaserJet"' in page("/addprinter"), "adopted drivers are not offered")
    check("Drucker suchen, an USB" in page("/addprinter", "de"), "in German")


def jobs():
    """Two jobs were printed, and are seen by those who may."""
    html = page("/laser/jobs")
    names = sorted(os.listdir(f"{folder}/state/cache/jobs"))
    check("laser-1.png" in names and "gone-1.png" in names and "laser-77777.png" not in names,
          f"pictures: {names}")
    check(html.count("job.png?job=") == 2 and "&lt;b>name&lt;/b>" in html, "the page of jobs")
    check("Gedruckt" in page("/laser/jobs", "de"), "in German")
    status, picture, kind = ask("/laser/job.png?job=1")
    check(status == 200 and kind == "image/png", f"picture: {status}, {kind}")
    check(size_of(picture) == (168, 237), f"picture: {size_of(picture)}")
    shutil.copy(f"{folder}/state/cache/jobs/laser-1.png", f"{folder}/state/cache/jobs/laser-9.png")
    for job, status in (("2", 404), ("9", 404), ("77777", 404), ("../1", 400), ("", 400),
                        ("-1", 400)):
        check(ask(f"/laser/job.png?job={job}")[0] == status, f"picture of job {job}")
    html = page("/laser/")
    check(html.count('class="job"') == 3 and "#1<" in html, "jobs on the open page")
    for text in ("job.png", "name&lt;/b>", "last</b>", getpass.getuser()):
        check(text not in html, f"{text} on the open page")
    html = page("/laser/jobs", form={"release": "1", "from": "2"})
    check(banner(html) == "That did not work:", f"releasing what was printed: {banner(html)}")
    check('name="from" value="2"' in html and "#3<" not in html, "the button leads elsewhere")
    check(os.stat(f"{folder}/state/cache/jobs").st_mode & 0o77 == 0, "others may read pictures")


def buttons():
    """What the status page's buttons do; a job that waits; name and place."""
    press_on = lambda action: page("/laser/", form={"action": action})
    check("Stopped." in press_on("pause"), "stopping")
    check("Ready." in press_on("resume"), "starting")
    check("New jobs wait." in press_on("hold"), "holding")
    check("New jobs wait." not in press_on("release"), "releasing")
    check("Used where no" in page("/photo/", form={"action": "default"}), "the usual printer")
    check(banner(press_on("format-disk")) == WRONG, "an action")
    check(banner(page("/laser/jobs", form={"cancel": "999"})) == WRONG, "a job")
    check(banner(page("/laser/config", form={"name": "Laser <b>", "location": "Room 1"})) ==
          "Saved.", "name and place")
    check("Laser &lt;b>" in page("/laser/config") and "Room 1" in page("/laser/"), "the place")
    for form, why in (({"name": ""}, "The name in the network must not be empty"),
                      ({"name": "x" * 64}, "A text here is one line of"),
                      ({"location": "a\nPassword x"}, "A text here is one line of")):
        check(why in banner(page("/laser/config", form=form)), f"{form}")
    check("Laser &lt;b>" in page("/laser/config"), "a wrong form changes the name")
    check(banner(page("/config", form={"name": "server", "contact": "Me"})) == "Saved.", "server")
    check('value="Me"' in page("/config", "de"), "the server's contact")


def gone():
    page("/gone/delete", form={})
    check(not any(name.startswith("gone-") for name in os.listdir(f"{folder}/state/cache/jobs")),
          "pictures of a printer that is deleted")
    for name in ("screens", "preview.png", "printing", "calibrate", "ink", "jobs", "job.png"):
        check(ask(f"/gone/{name}")[0] == 404, f"{name} of a printer that is deleted")
    page("/laser/screens")


PAGES = ("media", "screens", "preview.png", "printing", "calibrate", "ink", "jobs", "job.png",
         "config")


def strangers(is_closed):
    """PAPPL's page for media is closed, and so are ours, with and without a form.  The first pages
    are open, but not for forms."""
    token = token_of("/laser/")
    for name in [f"/laser/{page}" for page in PAGES] + ["/laser/", "/addprinter", "/config"]:
        if name != "/laser/":
            check(is_closed(ask(name)), f"{name} is open")
        for form in ({"use": "bayer", "action": "save", "K500": "36", "password": "x"},
                     {"action": "pause"}, {"action": "hold", "cancel": "1"}):
            for session in (None, "0" * 64, token):
                check(is_closed(ask(name, form=form, token=session)), f"{name}: a form")
        file = ("x.ppd", b"*PPD-Adobe")
        check(is_closed(upload(name, {"session": token, "action": "pause"}, file)),
              f"{name}: a file")
    for name in ("/", "/laser/"):
        html = page(name)
        check("Ready." in html and "job.png" not in html, f"{name}: {html[-800:]}")


def password():
    with open(f"{folder}/state/printers.state") as file:
        stored = re.search("^Password (.*)$", file.read(), re.M).group(1)
    with open(f"{folder}/state/web-password") as file:
        right = file.read().strip()
    for wrong in ("x", "", right[:-1], right + "x", stored,
                  re.split("[:~]", stored)[1]):
        answer = ask("/laser/screens", form={"password": wrong}, token=token_of("/laser/"))
        check(b"Password incorrect." in answer[1], f"the password {wrong}")
    strangers(lambda answer: b"<h1 class=\"title\">Login</h1>" in answer[1] and
              b'class="riptide"' not in answer[1])


def security():
    """A new password that is long.  The old one's file gets it."""
    global cookie
    new = "Aa1" + 700 * "x"
    with open(f"{folder}/state/web-password", "r+") as file:
        old = file.read().strip()
        html = page("/security", form={"old_password": old, "new_password": new,
                                       "new_password2": new})
        check(banner(html) == "Password changed.", f"a long password: {banner(html)}")
        file.seek(0)
        file.write(new + "\n")
    cookie = ""
    for wrong in ("x", "", old, new[:-1], new[:250], new + "x", "!", "?", 2000 * "y"):
        html = page("/config", form={"password": wrong})
        check("Password incorrect." in html, f"the password {wrong[:20]}, {len(wrong)} bytes")
    log_in()


def forms_of_strangers():
    """Forms of any kind, from somebody who has not logged in, do not end the server."""
    long = "B" * 200
    for path in ("/laser/media", "/laser/jobs", "/laser/", "/addprinter", "/laser/delete"):
        for kind, body in ((f"multipart/form-data; boundary={long}",
                            b'Content-Disposition: form-data; name="a"\r\n\r\nxy'),
                           ("multipart/form-data; boundary=", b"--\r\n\r\n"),
                           ("multipart/form-data", b"x"),
                           ("multipart/form-data; boundary=b", b"--b"),
                           ("multipart/form-data; boundary=b", b"--b\r\n\r\n\r\n--b--"),
                           ("application/x-www-form-urlencoded", b"%"),
                           ("application/x-www-form-urlencoded", b"a=%4"),
                           ("application/x-www-form-urlencoded", b"a" * 65536),
                           ("application/x-www-form-urlencoded", b"a=" + b"%41" * 90000)):
            request = urllib.request.Request(f"http://localhost:{port}{path}", data=body,
                                             headers={"Content-Type": kind})
            with urllib.request.urlopen(request, timeout=100) as answer:
                html = answer.read()
            check(b"Login</h1>" in html, f"{path}, {kind[:50]}, {body[:20]}")
            check(len(body) < 65537 or b"Invalid form data." in html, f"{len(body)} bytes are read")


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


if part not in ("password", "closed", "forms_of_strangers"):
    log_in()
globals()[part]()
sys.exit(failed)
