// Starts `helenus serve` for tests, and restores its data.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

import cassandra from 'cassandra-driver';

const running = new Set();
process.on('exit', () => running.forEach((child) => child.kill()));

/**
 * Starts a server and connects the driver to it.
 *
 * @param {{init?: string[], arguments?: string[], client?: object}} options `init`: CQL files or folders to run first;
 *   `arguments`: further arguments of `helenus serve`; `client`: further options of the driver's client.
 */
export async function start(options = {}) {
  const init = (options.init ?? []).flatMap((path) => ['--init', path]);
  const command = ['serve', '--port', '0', '--json', '--test-hooks', ...init, ...(options.arguments ?? [])];
  const child = spawn(process.env.HELENUS ?? 'helenus', command, { stdio: ['ignore', 'pipe', 'inherit'] });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const { address, port } = JSON.parse(await firstLine(child));
  const client = new cassandra.Client({
    contactPoints: [`${address}:${port}`],
    localDataCenter: 'datacenter1',
    ...options.client,
  });
  await client.connect();
  return new Server(child, address, port, client);
}

function firstLine(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`helenus serve ended with exit code ${code}`)));
    createInterface({ input: child.stdout }).once('line', resolve);
  });
}

/** A running server, and what a test can change about it. */
export class Server {
  constructor(child, address, port, client) {
    Object.assign(this, { child, address, port, client });
  }

  #run(text, values = []) {
    return this.client.execute(text, values, { prepare: true });
  }

  takeSnapshot(name) {
    return this.#run('INSERT INTO helenus.snapshots (name) VALUES (?)', [name]);
  }

  restoreSnapshot(name) {
    return this.#run('UPDATE helenus.snapshots SET restored = true WHERE name = ?', [name]);
  }

  /** The time of the server's clock. */
  async now() {
    return (await this.#run('SELECT now FROM helenus.clock')).first().now;
  }

  setClock(now, frozen = false) {
    return this.#run("UPDATE helenus.clock SET now = ?, frozen = ? WHERE key = 'local'", [now, frozen]);
  }

  advanceClock(milliseconds) {
    const by = cassandra.types.Duration.fromString(`${milliseconds}ms`);
    return this.#run("UPDATE helenus.clock SET advance = ? WHERE key = 'local'", [by]);
  }

  resetClock() {
    return this.#run("DELETE FROM helenus.clock WHERE key = 'local'");
  }

  /** Adds a fault; the columns are those of the table `helenus.faults`. */
  addFault(kind, columns = {}) {
    const all = { name: 'fault', kind, ...columns };
    const names = Object.keys(all);
    const marks = names.map(() => '?').join(', ');
    return this.#run(`INSERT INTO helenus.faults (${names.join(', ')}) VALUES (${marks})`, Object.values(all));
  }

  clearFaults() {
    return this.#run('TRUNCATE helenus.faults');
  }

  /** Returns to a snapshot, the machine's time and no faults: call it after each test. */
  async reset(snapshot) {
    await this.clearFaults();
    await this.resetClock();
    await this.restoreSnapshot(snapshot);
  }

  async stop() {
    await this.client.shutdown();
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill();
    await ended;
  }
}
