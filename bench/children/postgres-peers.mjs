// What others keep in PostgreSQL, measured as ours is. Run by postgres.ts:
// node postgres-peers.mjs FOLDER-WITH-NODE-MODULES URL pg-boss|graphile-worker|dbos CONNECTIONS UNITS
// A unit is one 2 KB payload that is sent, taken and settled; for DBOS a workflow of one step. Prints { rate, pickupMs }.
import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder = '', url = '', which = '', connections = '8', units = '400'] = process.argv.slice(2);
const require = createRequire(join(folder, 'package.json'));
const load = async (name) => await import(pathToFileURL(require.resolve(name)).href);
const lanes = Number(connections);
const payload = { text: randomBytes(1536).toString('base64') };

/** So many units, on so many lanes at once; per second. */
async function rateOf(unit) {
  let left = Number(units);
  const lane = async (n) => {
    while (left > 0) {
      left -= 1;
      await unit(n);
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: lanes }, (_, n) => lane(n)));
  return (Number(units) / (performance.now() - started)) * 1000;
}

async function pgBoss() {
  const { PgBoss } = await load('pg-boss');
  const boss = new PgBoss({ connectionString: url, max: lanes, supervise: false, schedule: false });
  await boss.start();
  await boss.createQueue('units');
  const rate = await rateOf(async () => {
    await boss.send('units', payload);
    const [job] = await boss.fetch('units');
    if (job !== undefined) await boss.complete('units', job.id);
  });
  await boss.stop({ graceful: false });
  return { rate };
}

async function graphile() {
  const { run, makeWorkerUtils, runMigrations } = await load('graphile-worker');
  const { Pool } = (await load('pg')).default;
  const pool = new Pool({ connectionString: url, max: lanes });
  await runMigrations({ pgPool: pool });
  // Its own SQL, called as its worker does: one job is added, got and completed.
  const { rows } = await pool.query(
    "SELECT id FROM graphile_worker._private_tasks WHERE identifier = 'unit'",
  );
  if (rows.length === 0)
    await pool.query(
      "INSERT INTO graphile_worker._private_tasks (identifier) VALUES ('unit') ON CONFLICT DO NOTHING",
    );
  const task = (await pool.query("SELECT id FROM graphile_worker._private_tasks WHERE identifier = 'unit'"))
    .rows[0].id;
  const rate = await rateOf(async (n) => {
    await pool.query("SELECT graphile_worker.add_job('unit', $1::json)", [payload]);
    const got = await pool.query(
      `UPDATE graphile_worker._private_jobs AS jobs SET attempts = jobs.attempts + 1, locked_by = $2, locked_at = now()
       FROM (SELECT id FROM graphile_worker._private_jobs AS j WHERE j.is_available = true AND run_at <= now() AND task_id = $1
             ORDER BY priority ASC, run_at ASC LIMIT 1 FOR UPDATE SKIP LOCKED) AS one
       WHERE jobs.id = one.id RETURNING jobs.id`,
      [task, `lane ${n}`],
    );
    await pool.query('DELETE FROM graphile_worker._private_jobs WHERE id = $1', [got.rows[0]?.id ?? 0]);
  });
  const { Logger } = await load('graphile-worker');
  const logger = new Logger(
    () => (level, message) => (level === 'error' ? console.error(message) : undefined),
  );
  const pickups = [];
  let resolve;
  const runner = await run({
    pgPool: pool,
    logger,
    concurrency: 1,
    noHandleSignals: true,
    taskList: { pickup: async () => resolve?.() },
  });
  const utils = await makeWorkerUtils({ pgPool: pool, logger });
  for (let n = 0; n < 60; n += 1) {
    const heard = new Promise((done) => (resolve = done));
    const started = performance.now();
    await utils.addJob('pickup', payload);
    await heard;
    pickups.push(performance.now() - started);
    await new Promise((done) => setTimeout(done, 20));
  }
  await utils.release();
  await runner.stop();
  await pool.end();
  return { rate, pickupMs: pickups.slice(10).toSorted((a, b) => a - b)[25] };
}

async function dbos() {
  const { DBOS } = await load('@dbos-inc/dbos-sdk');
  DBOS.setConfig({
    name: 'units',
    systemDatabaseUrl: url,
    systemDatabasePoolSize: lanes,
    runAdminServer: false,
    logLevel: 'error',
  });
  const unit = DBOS.registerWorkflow(async (given) => await DBOS.runStep(async () => given.text.length), {
    name: 'unit',
  });
  await DBOS.launch();
  const rate = await rateOf(async () => void (await unit(payload)));
  await DBOS.shutdown();
  return { rate };
}

const said = await { 'pg-boss': pgBoss, 'graphile-worker': graphile, dbos }[which]();
process.stdout.write(`\n${JSON.stringify(said)}\n`);
process.exit(0);
