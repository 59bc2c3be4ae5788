// Passkeys: asks the server for a challenge, lets the browser answer it, and sends the answer with the page's form.
const forms = [...document.querySelectorAll('form[data-passkey]')];
/** Milliseconds after which a challenge that nobody answered is replaced; it lives for five minutes. */
const FRESH_MS = 240_000;
/** Next to the folder of this script: the site may be under a path. */
const OPTIONS = new URL('../auth/passkey/options', document.currentScript.src);
const state = { waiting: undefined };

const toBytes = (text) => {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
};

const toText = (bytes) => {
  const binary = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
};

const withBytes = (list) => (list ?? []).map((one) => ({ ...one, id: toBytes(one.id) }));

const decode = ({ challenge, user, excludeCredentials, allowCredentials, ...rest }) => ({
  ...rest,
  challenge: toBytes(challenge),
  ...(user ? { user: { ...user, id: toBytes(user.id) }, excludeCredentials: withBytes(excludeCredentials) } : {}),
  ...(user ? {} : { allowCredentials: withBytes(allowCredentials) }),
});

const encode = ({ id, rawId, type, response }) => {
  const { clientDataJSON, attestationObject, authenticatorData, signature, userHandle } = response;
  const parts = { clientDataJSON, attestationObject, authenticatorData, signature, userHandle };
  const texts = Object.entries(parts).flatMap(([name, bytes]) => (bytes ? [[name, toText(bytes)]] : []));
  const transports = response.getTransports?.();
  return { id, rawId: toText(rawId), type, response: { ...Object.fromEntries(texts), ...(transports ? { transports } : {}) } };
};

async function readOptions(purpose) {
  const answer = await fetch(OPTIONS, {
    method: 'POST',
    body: new URLSearchParams({ purpose }),
    credentials: 'same-origin',
  });
  const json = await answer.json();
  if (!answer.ok) throw new Error(json.message);
  return json;
}

function send(form, answer, posted) {
  form.elements.credential.value = JSON.stringify(encode(answer));
  form.elements.state.value = posted;
  form.submit();
}

function tell(form, error) {
  const { unused, known } = form.dataset;
  const usual = error.name === 'InvalidStateError' ? known : unused;
  const isOurs = error.constructor === Error || error.name === 'SecurityError';
  form.querySelector('[data-passkey-error]').textContent = isOurs ? error.message : usual;
}

async function ask(form) {
  const { passkey: purpose } = form.dataset;
  state.waiting?.abort();
  try {
    const { options, state: posted } = await readOptions(purpose);
    const publicKey = decode(options);
    const { credentials } = navigator;
    send(form, await (purpose === 'create' ? credentials.create({ publicKey }) : credentials.get({ publicKey })), posted);
  } catch (error) {
    tell(form, error);
  }
}

/** Offers passkeys in the list of the e-mail field, as long as the page is open. */
async function offer(form) {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
  for (;;) {
    const abort = new AbortController();
    state.waiting = abort;
    const timer = setTimeout(() => abort.abort('old'), FRESH_MS);
    try {
      const { options, state: posted } = await readOptions('login');
      const publicKey = decode(options);
      return send(form, await navigator.credentials.get({ publicKey, mediation: 'conditional', signal: abort.signal }), posted);
    } catch {
      if (abort.signal.reason !== 'old') return;
    } finally {
      clearTimeout(timer);
    }
  }
}

if (window.PublicKeyCredential) {
  for (const form of forms) {
    form.hidden = false;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      ask(form);
    });
    if (form.dataset.passkey === 'login') offer(form);
  }
} else {
  for (const text of document.querySelectorAll('[data-passkey-missing]')) text.hidden = false;
}
