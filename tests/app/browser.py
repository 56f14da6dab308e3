"""Clicks through the web pages of riptide-printer-app: browser.py PORT PASSWORD
FOLDER-FOR-PICTURES."""
import base64
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

site = f"http://localhost:{sys.argv[1]}"
password, pictures = sys.argv[2:]
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
failed = False


def check(right, text):
    global failed
    if not right:
        failed = True
        print("FAILED:", text)


class Browser:
    """Chromium in a window of this width, driven by chromedriver's WebDriver protocol."""

    def __init__(self, driver, language, width, height):
        options = {"args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                            "--disable-dev-shm-usage", f"--accept-lang={language}",
                            f"--user-data-dir={tempfile.mkdtemp()}"],
                   "prefs": {"intl.accept_languages": language},
                   # A window is never narrower than 500 pixels; a telephone is.
                   "mobileEmulation": {"deviceMetrics": {"width": width, "height": height,
                                                         "pixelRatio": 1.0, "touch": False}}}
        self.driver = driver
        self.session = ""
        self.width = width
        self.session = "/session/" + self.call("POST", "/session", {"capabilities": {
            "alwaysMatch": {"goog:chromeOptions": options,
                            "goog:loggingPrefs": {"performance": "ALL"}}}})["sessionId"]

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.driver + self.session + path, data, method=method)
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)["value"]

    def run(self, script, *arguments):
        return self.call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def open(self, path):
        self.call("POST", "/url", {"url": site + path})

    def path(self):
        return self.call("GET", "/url")[len(site):]

    def find(self, css):
        try:
            return self.call("POST", "/element", {"using": "css selector", "value": css})
        except urllib.error.HTTPError:
            check(False, f"{self.path()}: there is no {css}")
            raise SystemExit(1) from None

    def click(self, css):
        """As a user does; the footer must not cover what is clicked."""
        element = self.find(css)
        self.run("arguments[0].scrollIntoView({block: 'center'})", element)
        self.call("POST", f"/element/{element[ELEMENT]}/click", {})

    def arrive(self):
        """Waits for another page than the one that was marked."""
        for _ in range(1200):
            if self.run("return !window.left && document.readyState == 'complete'"):
                return
            time.sleep(.05)
        check(False, f"{self.path()} does not lead to another page")

    def press(self, css):
        """Clicks what leads to another page."""
        self.run("window.left = true")
        self.click(css)
        self.arrive()

    def follow(self, text):
        self.run("window.left = true")
        element = self.call("POST", "/element", {"using": "link text", "value": text})
        self.call("POST", f"/element/{element[ELEMENT]}/click", {})
        self.arrive()

    def asked_here_only(self):
        """Whether all requests so far, and there were some, went to the server."""
        asked = []
        for entry in self.call("POST", "/se/log", {"type": "performance"}):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                asked.append(message["params"]["request"]["url"])
        asked = [url for url in asked if not url.startswith(("data:", "chrome:"))]
        others = [url for url in asked if not url.startswith(site + "/")]
        check(len(asked) > 50 and not others, f"{len(asked)} requests, to others: {others}")

    def text(self, css):
        return self.run("return document.querySelector(arguments[0])?.innerText.trim()", css)

    def log_in(self):
        self.open("/laser/ink")
        element = self.find("input[name=password]")
        self.call("POST", f"/element/{element[ELEMENT]}/value", {"text": password})
        self.press("input[type=submit]")
        self.find(".riptide")

    def choose(self, name, value):
        self.click(f"select[name='{name}'] option[value='{value}']")

    def pictures_are_there(self):
        """Whether all are: those that are out of sight are loaded when they come near."""
        self.run("document.querySelectorAll('img').forEach(i => i.loading = 'eager')")
        for _ in range(1200):
            if self.run("return [...document.images].every(i => i.complete)"):
                break
            time.sleep(.1)
        return self.run("return [...document.querySelectorAll('.riptide img')]"
                        ".every(i => i.naturalWidth > 0)")

    def look(self, name):
        """What every page has: nothing is wider than the screen, or too small for a finger."""
        wide = self.run("return document.documentElement.scrollWidth")
        check(wide <= self.width, f"{self.path()}: {wide} pixels wide on {self.width}")
        small = self.run("return [...document.querySelectorAll('.riptide button, .riptide select,"
                         " .riptide .patch span')].filter(e => e.offsetParent &&"
                         " e.getBoundingClientRect().height < 30).length")
        check(small == 0, f"{self.path()}: {small} buttons are too small")
        if pictures:
            height = self.run("return document.documentElement.scrollHeight")
            clip = {"x": 0, "y": 0, "width": self.width, "height": height, "scale": 1}
            shot = self.call("POST", "/goog/cdp/execute",
                             {"cmd": "Page.captureScreenshot",
                              "params": {"captureBeyondViewport": True, "clip": clip}})
            with open(os.path.join(pictures, name + ".png"), "wb") as file:
                file.write(base64.b64decode(shot["data"]))

    def end(self):
        self.call("DELETE", "")


def click_status(browser):
    browser.open("/")
    check(browser.text("h1") == "Printers", "the first page")
    browser.look("home")
    browser.follow("laser")
    check(browser.path() == "/laser/", "the link to a printer")
    browser.press("button[value=pause]")
    check("Stopped." in browser.text(".printer"), "stopping the printer")
    browser.press("button[value=resume]")
    browser.press("button[value=test]")
    check(browser.text(".banner") == "The test page is being printed.", "the test page")
    browser.look("status")
    for _ in range(600):
        browser.open("/laser/jobs")
        if browser.run("return document.querySelectorAll('.job img').length") == 1:
            break
        time.sleep(.1)
    check(browser.text(".job b") == "Test page", "the job of the test page")
    check(browser.pictures_are_there(), "the picture of a job is missing")
    browser.look("jobs")


def click_add(browser):
    browser.open("/")
    browser.follow("Add a printer")
    for css, text in (("input[name=name]", "vendor"), ("input[name=address]", "localhost"),
                      ("input[name=ppd]", os.path.abspath("laserjet.ppd"))):
        element = browser.find(css)
        browser.call("POST", f"/element/{element[ELEMENT]}/value", {"text": text})
    browser.look("add")
    browser.press(".riptide form > input[type=submit]")
    check(browser.path() == "/vendor/", f"adding a printer: {browser.text('.banner')}")
    browser.follow("Name and place")
    element = browser.find("input[name=location]")
    browser.call("POST", f"/element/{element[ELEMENT]}/value", {"text": "Room 7"})
    browser.press(".riptide form > input[type=submit]")
    check(browser.text(".banner") == "Saved.", "name and place")
    browser.look("config")
    browser.open("/vendor/delete")
    browser.press("form > input[type=submit]")
    check(browser.path() == "/" and "vendor" not in browser.text(".printers"), "removing it")


def click_screens(browser):
    browser.open("/laser")
    browser.follow("Screens")
    check(browser.path() == "/laser/screens", "the link to Screens")
    check(browser.pictures_are_there(), "a picture of Screens is missing")
    browser.look("screens")
    browser.choose("density", "85")
    browser.choose("view", "dots")
    browser.press(".controls input[type=submit]")
    check("density=85" in browser.path() and "view=dots" in browser.path(), "the look's form")
    check("density=85" in browser.run("return document.querySelector('.riptide img').src"),
          "the pictures' look")
    check(browser.pictures_are_there(), "a picture of dots is missing")
    browser.look("screens-dots")
    browser.press("button[value='blue-noise']")
    check(browser.text(".banner") == "Saved: the next pages are printed so.", "the screen's button")
    check(browser.text(".used h2") == "Fine scattered dots", "the screen that is used")
    browser.press(".used a")
    check(browser.path().startswith("/laser/preview.png?screen=blue-noise&view=dots"),
          "the link to the other view")
    check(browser.run("return document.images[0].naturalWidth") == 480, "the other view")


def click_printing(browser):
    browser.open("/laser/screens")
    browser.follow("Printing Defaults")
    check(browser.run("return document.querySelector('[name=halftone-screen]:checked').value") ==
          "blue-noise", "the screen among the defaults")
    browser.look("printing")
    browser.click("input[name=toner-save][value='2'] + span")
    browser.click(".questions > details > summary")
    browser.choose("halftone-edges", "on")
    browser.press("form > input[type=submit]")
    check(browser.text(".banner") == "Saved: the next pages are printed so.", "saving the defaults")
    browser.open("/laser/printing")
    check(browser.run("return document.querySelector('[name=toner-save]:checked').value") == "2",
          "toner save is not kept")
    check(browser.run("return document.querySelector('[name=halftone-edges]').value") == "on",
          "an option of the driver is not kept")


def click_calibrate(browser):
    browser.open("/laser/printing")
    browser.follow("Calibrate")
    browser.look("calibrate")
    for name, tint in (("K125", 8), ("K250", 16), ("K500", 36), ("K750", 60), ("K875", 76)):
        browser.click(f"input[name={name}][value='{tint}'] + span")
    browser.press("button[value=look]")
    check(browser.run("return document.querySelector('svg .thick').getBBox().height") > 1000,
          "the curve")
    check(browser.run("return document.querySelector('[name=K500]:checked').value") == "36",
          "the readings are forgotten")
    browser.look("calibrate-curve")
    browser.press("button[value=save]")
    check(browser.text(".banner") == "Saved: the next pages are printed so.", "saving the curve")
    browser.press("button[value=without]")
    check(browser.text(".banner") == "The printer prints without a calibration.", "without")
    browser.press("button[value=undo]")
    check(browser.text(".banner") == "The earlier calibration is back.", "going back")
    browser.press("button[value=print]")
    check(browser.text(".banner") == "The chart is being printed.", "printing the chart")
    for _ in range(600):
        browser.open("/laser/ink")
        if browser.run("return document.querySelectorAll('tbody tr').length") == 3:
            break
        time.sleep(.1)
    check(browser.text("tbody td") == "Black", "the ink of the chart")
    browser.look("ink")


def look_on_telephone(browser):
    pages = ["/", "/addprinter", "/config"]
    for printer in ("laser", "photo"):
        pages += [f"/{printer}/{page}" for page in ("", "jobs", "config", "screens", "printing",
                                                    "calibrate", "ink")]
    for page in pages:
        browser.open(page)
        check(browser.run("return document.querySelector('.riptide').lang") == "de", "German")
        check(browser.pictures_are_there(), f"telephone: a picture of {page} is missing")
        browser.look("telephone" + page.replace("/", "-"))
    for page in ("/laser/media", "/laser/supplies", "/laser/cancelall", "/laser/delete",
                 "/security"): # PAPPL's
        browser.open(page)
        browser.look("telephone" + page.replace("/", "-"))


def start_driver():
    port = 0
    process = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True)
    for line in process.stdout:
        if "started successfully on port" in line:
            port = line.rstrip(".\n").split()[-1]
            break
    return process, f"http://127.0.0.1:{port}"


def main():
    process, driver = start_driver()
    try:
        browser = Browser(driver, "en", 1100, 800)
        browser.log_in()
        click_status(browser)
        click_add(browser)
        click_screens(browser)
        click_printing(browser)
        click_calibrate(browser)
        browser.asked_here_only()
        browser.end()
        browser = Browser(driver, "de", 390, 844)
        browser.log_in()
        look_on_telephone(browser)
        browser.asked_here_only()
        browser.end()
    finally:
        process.terminate()
        process.wait()


main()
sys.exit(failed)
