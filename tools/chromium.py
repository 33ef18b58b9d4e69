"""A headless Chromium for the scripts that check pages, spoken to with the DevTools protocol."""
import base64
import contextlib
import fcntl
import json
import os
import select
import shutil
import signal
import subprocess
import time

SECONDS = 60


def program():
    """The path of Chromium, or `None`."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class Refused(Exception):
    """The browser answered with an error, or not at all."""


class Browser:
    """A headless Chromium that is spoken to over a pair of pipes, with the DevTools protocol."""

    def __init__(self, program, home):
        self.events, self.buffer, self.number, self.session = [], b"", 0, None
        commands, self.commands = self.pipe()
        self.answers, answers = self.pipe()

        def place_pipes():  # where --remote-debugging-pipe looks for them
            os.dup2(commands, 3)
            os.dup2(answers, 4)

        options = ["--headless=new", "--remote-debugging-pipe", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage",
                   "--disable-background-networking", "--disable-component-update", "--disable-sync", "--mute-audio",
                   "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", f"--user-data-dir={home}/profile"]
        if os.geteuid() == 0:
            options.append("--no-sandbox")  # Chromium's sandbox refuses root
        environment = dict(os.environ, HOME=home, XDG_CONFIG_HOME=home, XDG_CACHE_HOME=home)
        self.log = open(f"{home}/log", "w+b")
        self.process = subprocess.Popen(
            [program, *options, "about:blank"], stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, env=environment,
            preexec_fn=place_pipes, pass_fds=(3, 4), start_new_session=True)
        os.close(commands)
        os.close(answers)

    @staticmethod
    def pipe():
        """A pipe with numbers that are free in the child, too."""
        ends = os.pipe()
        high = tuple(fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 20) for end in ends)
        for end in ends:
            os.close(end)
        return high

    def read(self, deadline):
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.answers], [], [], max(0, deadline - time.monotonic()))
            if not ready:
                raise Refused(f"no answer within {SECONDS} s")
            piece = os.read(self.answers, 1 << 20)
            if not piece:
                self.log.seek(0)
                raise Refused("it ended early: " + self.log.read().decode(errors="replace")[-2000:].strip())
            self.buffer += piece
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        with contextlib.suppress(BrokenPipeError):  # `read` says why
            while data:
                data = data[os.write(self.commands, data):]
        deadline = time.monotonic() + SECONDS
        while True:
            answer = self.read(deadline)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise Refused(f"{method}: {answer['error'].get('message')}")
                return answer["result"]
            self.events.append(answer)

    def wait(self, method):
        """Waits for an event, of those since the last wait for it too."""
        deadline = time.monotonic() + SECONDS
        while True:
            for event in self.events[self.seen:]:
                self.seen += 1
                if event.get("method") == method:
                    return
            self.events.append(self.read(deadline))

    def open(self, address):
        self.seen = len(self.events)
        self.call("Page.navigate", url=address)
        self.wait("Page.loadEventFired")

    def attach(self):
        target = next(each for each in self.call("Target.getTargets")["targetInfos"] if each["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log", "DOM", "Accessibility"):
            self.call(f"{domain}.enable")

    def run(self, expression):
        """The value of JavaScript, as JSON tells it."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise Refused(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def screen(self, width, height, scheme):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme},
                                                          {"name": "prefers-reduced-motion", "value": "reduce"}])

    def picture_size(self):
        """How many bytes a picture of the screen takes."""
        return len(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def click(self, selector):
        x, y = self.run(f"""(() => {{ const element = document.querySelector({json.dumps(selector)});
            element.scrollIntoView({{block: "center", inline: "center"}});
            const box = element.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()""")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, key, code, text=""):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code,
                      text=text if kind == "keyDown" else "")

    def end(self):
        """Ends this Chromium, and no other."""
        with contextlib.suppress(Refused, OSError):
            self.session = None
            self.call("Browser.close")
            self.process.wait(5)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)  # its own session: it and what it started
        self.process.wait()
        os.close(self.commands)
        os.close(self.answers)
        self.log.close()


# Texts whose contrast with their ground is too low, as a list of texts.
CONTRAST = r"""(() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const known = new Map();
  const parse = (color) => {
    if (!known.has(color)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
      known.set(color, [r, g, b, a / 255]);
    }
    return known.get(color);
  };
  const light = ([r, g, b]) => [r, g, b].map((value) => value / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
    .reduce((sum, value, place) => sum + value * [0.2126, 0.7152, 0.0722][place], 0);
  const ground = (element) => {
    for (let each = element; each; each = each.parentElement) {
      const color = parse(getComputedStyle(each).backgroundColor);
      if (color[3] === 1) return color;
    }
    return parse("white");
  };
  const low = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let count = 0; walker.nextNode() && count < 20000; count += 1) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !element.checkVisibility?.() || element.closest("script,style,.vh,.skip,title,desc")) continue;
    const style = getComputedStyle(element);
    const [front, back] = [light(parse(element.closest("svg") ? style.fill : style.color)), light(ground(element))];
    const ratio = (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05);
    if (ratio < 4.5) low.add(`${ratio.toFixed(1)}:1 of “${walker.currentNode.data.trim().slice(0, 30)}” in ${element.tagName}`);
  }
  return [...low].slice(0, 10);
})()"""
