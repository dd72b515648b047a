"""The description of the api is true: schemathesis tries what it allows and what it forbids, and finds no surprise."""

from collections import Counter
from contextlib import suppress

import pytest
import schemathesis
from at_the_door import BEARER, House
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
AT_LEAST = 2000
CASES = settings(
    max_examples=60,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def app_of(house):
    """The pages; a stream's reader is gone as soon as it has come, so that every answer has an end."""

    def called(environ, start_response):
        environ["waitress.client_disconnected"] = lambda: True
        return house.app(environ, start_response)

    return called


def try_all(operation, house, mode, told):
    @CASES
    @given(case=operation.as_strategy(generation_mode=mode))
    def one(case):
        told.append(case.operation.label)
        if house.state["id"] is None or len(told) % 25 == 0:
            house.start()
        case.call_and_validate(app=app_of(house), checks=CHECKS, headers=BEARER if len(told) % 5 else None)
        assert house.session.failure is None

    one()


@pytest.mark.long
def test_two_thousand_cases_and_no_surprise(tmp_path):
    house, told = House(tmp_path), []
    schema = schemathesis.openapi.from_wsgi("/api/openapi.json", app_of(house))
    try:
        for found in schema.get_all_operations():
            for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
                with suppress(Unsatisfiable):  # nothing is forbidden where nothing is asked
                    try_all(found.ok(), house, mode, told)
    finally:
        house.close()
    assert len(told) >= AT_LEAST, dict(Counter(told))
