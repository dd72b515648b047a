"""The page of secure pages: the certificate in two forms, words for each phone, and the host's switch."""

import plistlib
import re
import ssl

import pytest
from at_the_door import PIN
from securing import authority

from companion.app.authority import certificate_in
from companion.languages.catalogues import codes
from companion.refusal import Refusal
from web.base.words import words_in

IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1"
ANDROID = "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36"


class Switch:
    """Secure pages that are switched on and off."""

    def __init__(self):
        self.on, self.done, self.notes = False, [], []

    def view(self):
        shown = {"names": ["table.local"], "until": "2029-02-16", "print": "AB:CD", "notes": self.notes}
        return {"on": self.on, "address": self.address(), **shown}

    def address(self):
        return "https://192.168.1.20:8443" if self.on else ""

    def authority(self):
        return certificate_in(authority().pem).encode()

    def act(self, do):
        if do not in ("on", "off", "anew"):
            raise Refusal("malformed", None, "no", field="do")
        self.done.append(do)
        self.on = do != "off"


@pytest.fixture
def switch():
    return Switch()


@pytest.fixture
def house(make_house, switch):
    return make_house(secure=switch)


@pytest.fixture
def host(house):
    client = house.client()
    assert client.post("/api/host/login", json={"pin": PIN}).status_code == 200
    return client


def test_the_host_switches_them_on_and_everybody_reads_how(house, host, switch):
    assert 'id="off"' in house.client().get("/secure").text
    assert 'id="secure-on"' not in house.client().get("/secure").text
    assert 'id="secure-on"' in host.get("/secure").text
    assert host.post("/api/host/secure", data={"do": "on"}).location == "/secure"
    page = house.client().get("/secure").text
    assert 'href="https://192.168.1.20:8443/secure"' in page
    assert "AB:CD" in page
    assert 'class="qr"' in host.get("/secure").text
    assert host.post("/api/host/secure", json={"do": "off"}).json["on"] is False
    assert switch.done == ["on", "off"]


def test_only_the_host_may(house, switch):
    assert house.client().post("/api/host/secure", json={"do": "on"}).status_code == 401
    assert house.seated("red").post("/api/host/secure", json={"do": "on"}).status_code == 403
    assert switch.done == []


@pytest.mark.parametrize("body", [{}, {"do": 3}, {"do": "sell"}])
def test_what_cannot_be_done_is_refused(host, body):
    answer = host.post("/api/host/secure", json=body)
    assert (answer.status_code, answer.json["error"]["code"]) == (400, "malformed")


def test_each_phone_reads_its_own_words_first(house, switch):
    switch.on = True
    for agent, first in ((IPHONE, "ios"), (ANDROID, "android"), ("curl", "computer")):
        page = house.client().get("/secure", headers={"User-Agent": agent}).text
        assert re.findall(r'id="for-(\w+)"', page)[0] == first
        assert f'id="for-{first}" open' in page
        assert page.count("<details") == 3


def test_the_page_is_there_in_every_language(switch, host):
    switch.on = True
    for language in codes():
        assert words_in(language).text("secure_go") in host.get("/secure", headers={"Accept-Language": language}).text


def test_the_certificate_is_what_android_takes(house):
    answer = house.client().get("/secure/table-companion.crt")
    assert answer.content_type == "application/x-x509-ca-cert"
    assert "table-companion.crt" in answer.headers["Content-Disposition"]
    assert ssl.create_default_context(cadata=answer.text).cert_store_stats()["x509_ca"] == 1
    assert "PRIVATE" not in answer.text


def test_the_profile_is_what_an_iphone_takes(house):
    answer = house.client().get("/secure/table-companion.mobileconfig")
    assert answer.content_type == "application/x-apple-aspen-config"
    told = plistlib.loads(answer.data)
    (root,) = told["PayloadContent"]
    assert root["PayloadType"] == "com.apple.security.root"
    assert ssl.DER_cert_to_PEM_cert(root["PayloadContent"]).split() == certificate_in(authority().pem).split()
    assert told["PayloadUUID"] != root["PayloadUUID"]
    again = house.client().get("/secure/table-companion.mobileconfig")
    assert again.data == answer.data, "installed twice it takes its own place"


def test_who_is_there_reads_that_nothing_is_missing(house, switch):
    switch.on = True
    page = house.client().get("/secure", base_url="https://localhost").text
    assert 'id="here"' in page
    assert 'id="install"' not in page


def test_without_any_the_page_says_so(make_house):
    house = make_house()
    assert 'id="off"' in house.client().get("/secure").text
    answer = house.client().get("/secure/table-companion.crt")
    assert (answer.status_code, answer.json["error"]["code"]) == (404, "no_secure_pages")
