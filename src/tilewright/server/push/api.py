"""The calls by which a browser asks to be notified, and to be notified no longer."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from tilewright.server.api import ERRORS
from tilewright.server.person import held_by, rooms_of
from tilewright.server.profile_pages import key_or_new
from tilewright.server.push.addresses import LONGEST, parse
from tilewright.server.push.keys import public_key
from tilewright.server.push.notifier import Notifier
from tilewright.server.push.subscriptions import Subscription, check_keys, subscribe, subscriptions_of, unsubscribe
from tilewright.server.requests import RequestBody
from tilewright.server.seated_table import hash_key
from tilewright.server.web import language_of

router = APIRouter(prefix="/api/person/push", tags=["person"], responses=ERRORS)


class SubscriptionKeys(RequestBody):
    """The keys of a browser's subscription, in base64url."""

    p256dh: str = Field(max_length=100)
    auth: str = Field(max_length=50)


class SubscriptionRequest(RequestBody):
    """A subscription, as `PushSubscription.toJSON()` gives it."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {"endpoint": "https://push.example/abc", "keys": {"p256dh": "BN...", "auth": "k8..."}}
        }
    )

    endpoint: str = Field(max_length=LONGEST)
    keys: SubscriptionKeys
    expirationTime: float | None = Field(None, description="Not used: push services say when one is gone")  # noqa: N815


class PushInfo(BaseModel):
    """What a browser needs to subscribe."""

    key: str = Field(description="The `applicationServerKey` of this server, in base64url")
    endpoints: list[str] = Field(description="Where you are already notified")


@router.get("", summary="How to be notified of your turn")
async def about(request: Request) -> PushInfo:
    """The key is made on the first start of the server and stays the same."""
    notifier: Notifier = request.app.state.notifier
    held = held_by(request)
    found = await rooms_of(request).read(lambda store: subscriptions_of(store, held))
    return PushInfo(key=public_key(await notifier.key()), endpoints=[one.endpoint for one in found])


@router.post("", status_code=204, summary="Be notified of your turn")
async def add(body: SubscriptionRequest, request: Request) -> Response:
    """By Web Push, at tables that you are not looking at, once per turn, for at most ten browsers."""
    rooms, response = rooms_of(request), Response(status_code=204)
    parse(body.endpoint, private=rooms.settings.private_push)
    check_keys(body.keys.p256dh, body.keys.auth)
    held, site = hash_key(key_or_new(request, response)), request.url.hostname or "localhost"
    made = Subscription(body.endpoint, held, body.keys.p256dh, body.keys.auth, site, language_of(request))
    await rooms.write(lambda store: subscribe(store, made))
    return response


@router.delete("", status_code=204, summary="Stop being notified")
async def end(
    endpoint: Annotated[str, Query(max_length=LONGEST, description="As in the subscription")], request: Request
) -> Response:
    """At one endpoint, if it is yours."""
    held = held_by(request)
    await rooms_of(request).write(lambda store: unsubscribe(store, endpoint, held))
    return Response(status_code=204)
