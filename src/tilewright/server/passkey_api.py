"""The calls by which a browser makes a passkey for a profile, and uses it on another device (WebAuthn)."""

from __future__ import annotations

import binascii
import json
from typing import Any

from fastapi import APIRouter, Request, Response
from pydantic import Field
from webauthn import (
    generate_authentication_options,
    generate_registration_options,
    options_to_json,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import (
    parse_authentication_credential_json,
    parse_client_data_json,
    parse_registration_credential_json,
)
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from tilewright.server.api import ERRORS
from tilewright.server.errors import NotFound, RequestError
from tilewright.server.passkeys import (
    Passkey,
    key_behind_passkey,
    new_challenge,
    note_use,
    passkey_with_id,
    passkeys_of,
    remove_passkeys,
    save_passkey,
    sealed_for_passkey,
    take_challenge,
)
from tilewright.server.person import held_by, rooms_of
from tilewright.server.profile_pages import key_or_new
from tilewright.server.profiles import profile_of
from tilewright.server.requests import RequestBody
from tilewright.server.responses import ProfileClaimed
from tilewright.server.seated_table import hash_key
from tilewright.server.web import give_key, language_of
from tilewright.view.language import say

router = APIRouter(prefix="/api/person/passkeys", tags=["person"], responses=ERRORS)
SITE = "Tilewright"
_MALFORMED = WebAuthnException, binascii.Error
"""What the library raises for an answer that no authenticator gives; for a challenge that is not base64, the latter."""


class PasskeyRequest(RequestBody):
    """The answer of a passkey, as `PublicKeyCredential.toJSON()` gives it."""

    credential: dict[str, Any] = Field(max_length=20)


@router.post("/options", summary="Start creating a passkey")
async def options(request: Request, response: Response) -> dict[str, Any]:
    """What `navigator.credentials.create` needs. A request without a key gets one as a cookie."""
    rooms, key = rooms_of(request), key_or_new(request, response)
    held, (handle, sealed_key) = hash_key(key), sealed_for_passkey(key)
    own = await rooms.read(lambda store: profile_of(store, held))
    known = await rooms.read(lambda store: passkeys_of(store, held))
    challenge = await rooms.write(lambda store: new_challenge(store, sealed_key, held))
    made = generate_registration_options(
        rp_id=request.url.hostname or "",
        rp_name=SITE,
        user_id=handle,
        user_name=own.name or say(language_of(request), "profile.title"),
        challenge=challenge,
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.REQUIRED
        ),
        exclude_credentials=[PublicKeyCredentialDescriptor(id=bytes.fromhex(name)) for name in known],
    )
    described: dict[str, Any] = json.loads(options_to_json(made))
    return described


@router.post("", status_code=204, summary="Add a passkey to your profile")
async def add(body: PasskeyRequest, request: Request) -> Response:
    """On any device that has the passkey, it carries your profile there."""
    rooms, held = rooms_of(request), held_by(request)
    try:
        credential = parse_registration_credential_json(body.credential)
        challenge = parse_client_data_json(credential.response.client_data_json).challenge
        pending = await _taken(request, challenge)
        if pending is None or pending[0] != held or pending[1] is None:
            raise RequestError("old_challenge")
        verified = verify_registration_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=request.url.hostname or "",
            expected_origin=_origin(request),
            require_user_verification=True,
        )
    except _MALFORMED as error:
        raise RequestError("bad_passkey", exactly=f"the passkey cannot be used: {error}") from None
    made = Passkey(held, verified.credential_public_key, verified.sign_count, pending[1])
    await rooms.write(lambda store: save_passkey(store, verified.credential_id, made))
    return Response(status_code=204)


@router.delete("", status_code=204, summary="Remove your passkeys")
async def remove(request: Request) -> Response:
    """None of them opens your profile any more. Devices that already have it keep it."""
    held = held_by(request)
    await rooms_of(request).write(lambda store: remove_passkeys(store, held))
    return Response(status_code=204)


@router.post("/claim/options", summary="Start signing in with a passkey")
async def claim_options(request: Request) -> dict[str, Any]:
    """What `navigator.credentials.get` needs."""
    challenge = await rooms_of(request).write(lambda store: new_challenge(store, None, None))
    asked = generate_authentication_options(
        rp_id=request.url.hostname or "",
        challenge=challenge,
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    described: dict[str, Any] = json.loads(options_to_json(asked))
    return described


@router.post("/claim", summary="Take over a profile on this device with a passkey")
async def claim(body: PasskeyRequest, request: Request, response: Response) -> ProfileClaimed:
    """The browser gets the profile's key as its cookie, in place of its own."""
    rooms = rooms_of(request)
    try:
        credential = parse_authentication_credential_json(body.credential)
        challenge = parse_client_data_json(credential.response.client_data_json).challenge
        if await _taken(request, challenge) is None:
            raise RequestError("old_challenge")
        passkey = await rooms.read(lambda store: passkey_with_id(store, credential.raw_id))
        if passkey is None:
            raise NotFound("no_passkey")
        verified = verify_authentication_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=request.url.hostname or "",
            expected_origin=_origin(request),
            credential_public_key=passkey.public_key,
            credential_current_sign_count=passkey.sign_count,
            require_user_verification=True,
        )
    except _MALFORMED as error:
        raise RequestError("bad_passkey", exactly=f"the passkey cannot be used: {error}") from None
    key = key_behind_passkey(passkey, credential.response.user_handle or b"")
    if key is None:
        raise RequestError("bad_passkey")
    await rooms.write(lambda store: note_use(store, credential.raw_id, verified.new_sign_count))
    give_key(request, response, key)
    own = await rooms.read(lambda store: profile_of(store, hash_key(key)))
    return ProfileClaimed(name=own.name, avatar=own.avatar)


async def _taken(request: Request, challenge: bytes) -> tuple[str | None, str | None] | None:
    return await rooms_of(request).write(lambda store: take_challenge(store, challenge))


def _origin(request: Request) -> str:
    """Where our pages are, as the browser knows it; a passkey works nowhere else."""
    return f"{request.url.scheme}://{request.url.netloc}"
