// A TCP proxy that simulates network faults: delays, one byte per second, stalls, cuts, and the loss of
// one end without notice to the other.
import { connect, createServer } from 'node:net';

const TRICKLE_MILLISECONDS = 1000;

/** One direction of one connection. */
class Lane {
  #proxy;
  #to;
  #held = [];
  #timer;

  constructor(proxy, from, to) {
    this.#proxy = proxy;
    this.#to = to;
    from.on('data', (chunk) => this.#take(chunk));
    from.on('end', () => this.#proxy.mode === 'pass' && to.end());
  }

  #take(chunk) {
    const { mode, milliseconds } = this.#proxy;
    if (mode === 'half-open') return;
    if (mode === 'pass' && this.#held.length === 0) {
      this.#to.write(chunk);
      return;
    }
    this.#held.push(chunk);
    if (mode === 'delay') setTimeout(() => this.#release(), milliseconds);
    if (mode === 'trickle') this.#trickle();
  }

  #release() {
    const chunk = this.#held.shift();
    if (chunk !== undefined && !this.#to.destroyed) this.#to.write(chunk);
  }

  #trickle() {
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => {
      const [first] = this.#held;
      if (first === undefined || this.#to.destroyed) {
        this.stop();
        return;
      }
      this.#to.write(first.subarray(0, 1));
      if (first.length === 1) this.#held.shift();
      else this.#held[0] = first.subarray(1);
    }, TRICKLE_MILLISECONDS);
  }

  stop() {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Sends held data: the proxy works normally again. */
  flow() {
    this.stop();
    while (this.#held.length > 0) this.#release();
  }
}

export class TcpProxy {
  /** `pass`, `delay`, `trickle`, `stall`, or `half-open`: bytes are swallowed, and the far end is gone. */
  mode = 'pass';
  milliseconds = 0;
  #target;
  #server;
  #pairs = new Set();

  constructor(target) {
    this.#target = target;
  }

  async open(port = 0) {
    this.#server = createServer((near) => this.#accept(near));
    await new Promise((done) => this.#server.listen(port, '127.0.0.1', done));
    this.port = this.#server.address().port;
    return this;
  }

  #accept(near) {
    const far = connect(this.#target);
    const lanes = [new Lane(this, near, far), new Lane(this, far, near)];
    const pair = { near, far, lanes };
    this.#pairs.add(pair);
    for (const [own, other] of [
      [near, far],
      [far, near],
    ]) {
      own.on('error', () => own.destroy());
      own.on('close', () => {
        if (this.mode === 'half-open' && own === far) return;
        for (const lane of lanes) lane.stop();
        other.destroy();
        this.#pairs.delete(pair);
      });
    }
  }

  set(mode, milliseconds = 0) {
    this.mode = mode;
    this.milliseconds = milliseconds;
    if (mode === 'half-open') for (const { far } of this.#pairs) far.destroy();
    if (mode === 'pass') {
      for (const { lanes, near, far } of [...this.#pairs]) {
        // A connection with one dead end cannot continue.
        if (far.destroyed) near.destroy();
        else for (const lane of lanes) lane.flow();
      }
    }
  }

  /** Resets every connection; new ones are accepted. */
  cut() {
    for (const { near, far } of this.#pairs) {
      near.resetAndDestroy();
      far.destroy();
    }
  }

  async close() {
    this.cut();
    await new Promise((done) => this.#server.close(done));
  }
}
