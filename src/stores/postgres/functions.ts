/**
 * What runs inside the database, each in one transaction and one round trip. Journals are written here alone.
 *
 * Locks are taken in one order, so that no two calls wait for each other: the row of the task, then blobs by digest, then the lock of the feed,
 * then rows of that task alone. The feed: an identity is given before the commit, so entries would become visible out of order. The writer
 * of an entry therefore holds a lock from before its position is given until it is visible, together with all others that
 * write; a reader of the feed takes it alone for an instant, and knows then that nothing below the last position is still to come.
 */
import { limits } from '../../core/base/limits.ts';
import { sha256Hex } from '../../core/journal/sha256.ts';
import { sqlStates } from './errors.ts';

/** "Stff" and "Stfm": locks of the feed and of migrations, each with a number for the schema. */
const feedLock = 0x53746666;
const migrationLock = 0x5374666d;

function keyOf(schema: string): number {
  return Number.parseInt(sha256Hex(schema).slice(0, 8), 16) | 0;
}

export function migrationKey(schema: string): string {
  return `${migrationLock}, ${keyOf(schema)}`;
}

/**
 * A pause for a lock is answered with 55P03, and the call is tried again. All of them do what they do with the rights of the schema's owner:
 * who may call them is said in `team.ts`, and needs no right on a table.
 */
const guarded = 'SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = 2000';

/**
 * How far the clock of the process that ends a silent leg may be ahead: a lease that goes on for longer by the clock of the server is not over, whatever
 * somebody else's clock says. One further ahead than any lease may be was set by a wrong clock.
 */
const skewMsMax = 60_000;

/** Where somebody has turned it off for a role or a database: what is acknowledged has to be on disk. */
const durable = `IF current_setting('synchronous_commit') = 'off' THEN PERFORM set_config('synchronous_commit', 'on', true); END IF;`;

const now = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/** Whether it was stored, and if not, the head that was found. */
const outcome =
  'OUT stored boolean, OUT seq bigint, OUT digest bytea, OUT lease_generation bigint, OUT lease_until bigint, OUT snapshot bytea';

export function functions(s: string): string {
  const feed = `${feedLock}, ${keyOf(s)}`;
  const headInto = `SELECT t.seq, t.digest, t.lease_generation, t.lease_until, t.snapshot
    INTO seq, digest, lease_generation, lease_until, snapshot FROM ${s}.task t WHERE t.id = p_task`;
  // A row that stays as it is would be locked until the commit all the same, and all who bring the same content would wait for each other's disk.
  // No removal that BS5 allows takes what was put as late, so nothing is lost by not locking it.
  const unlessPut = (digest: string): string =>
    `WHERE NOT EXISTS (SELECT 1 FROM ${s}.blob b WHERE b.digest = ${digest} AND b.put_at >= p_at)
      ON CONFLICT (digest) DO UPDATE SET put_at = excluded.put_at WHERE blob.put_at < excluded.put_at`;
  return `
CREATE FUNCTION ${s}.feed_top() RETURNS bigint LANGUAGE plpgsql ${guarded} AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(${feed});
  RETURN (SELECT coalesce(max(position), 0) FROM ${s}.entry);
END $$;

CREATE FUNCTION ${s}.put_waits(p_task text, p_needs text[], p_watched boolean[]) RETURNS void LANGUAGE plpgsql ${guarded} AS $$
BEGIN
  DELETE FROM ${s}.wait w WHERE w.task = p_task AND NOT EXISTS (
    SELECT 1 FROM unnest(p_needs, p_watched) AS g(need, watched) WHERE g.need = w.need AND g.watched = w.watched);
  INSERT INTO ${s}.wait(need, task, watched)
    SELECT g.need, p_task, g.watched FROM unnest(p_needs, p_watched) AS g(need, watched)
    ON CONFLICT DO NOTHING;
END $$;

CREATE FUNCTION ${s}.append_1(
  p_task text, p_seq bigint, p_digest bytea, p_body bytea, p_at bigint, p_snapshot bytea, p_card bytea,
  p_status text, p_lane text, p_holder text, p_addressed text, p_dead boolean, p_opened bigint,
  p_lease text, p_generation bigint, p_until bigint, p_if_generation bigint, p_if_until bigint, p_key text,
  p_hint text, p_hint_address text, p_hint_offer bigint, p_hint_due bigint, p_needs text[], p_watched boolean[],
  p_blob_digests bytea, p_blob_codecs smallint[], p_blob_bytes bigint[], p_blob_sizes bigint[], p_blob_data bytea,
  ${outcome}
) LANGUAGE plpgsql ${guarded} AS $$
#variable_conflict use_column
DECLARE
  t record;
  number bigint;
  taken bigint := 1;
BEGIN
  ${durable}
  stored := false;
  SELECT x.n, x.seq, x.lease_generation, x.lease_until, x.waits INTO t FROM ${s}.task x WHERE x.id = p_task FOR NO KEY UPDATE;
  IF FOUND THEN
    number := t.n;
    IF p_if_until BETWEEN ${now} + ${skewMsMax} AND ${now} + ${limits.leaseMsMax} AND (t.lease_generation, t.lease_until) IS NOT DISTINCT FROM (p_if_generation, p_if_until) THEN
      RAISE EXCEPTION 'the lease in force is not over by the clock of the server' USING ERRCODE = '${sqlStates.leaseLive}';
    END IF;
    IF t.seq <> p_seq - 1
      OR (p_if_generation IS NOT NULL AND (t.lease_generation, t.lease_until) IS DISTINCT FROM (p_if_generation, p_if_until))
      OR (p_key IS NOT NULL AND EXISTS (SELECT 1 FROM ${s}.entry_key k WHERE k.task = t.n AND k.key = p_key)) THEN
      ${headInto};
      RETURN;
    END IF;
    UPDATE ${s}.task x SET seq = p_seq, digest = p_digest, status = p_status, lane = p_lane, holder = p_holder, addressed = p_addressed,
      dead = p_dead, waits = cardinality(p_needs) > 0, card = p_card, snapshot = p_snapshot,
      lease_generation = CASE p_lease WHEN 'set' THEN p_generation WHEN 'keep' THEN x.lease_generation END,
      lease_until = CASE p_lease WHEN 'set' THEN p_until WHEN 'keep' THEN CASE WHEN x.lease_until IS NOT NULL THEN greatest(x.lease_until, p_until) END END
      WHERE x.n = t.n;
    IF t.waits OR cardinality(p_needs) > 0 THEN PERFORM ${s}.put_waits(p_task, p_needs, p_watched); END IF;
  ELSE
    IF p_seq <> 0 OR p_if_generation IS NOT NULL THEN RETURN; END IF;
    INSERT INTO ${s}.task(id, seq, digest, lease_generation, lease_until, status, lane, holder, addressed, dead, waits, opened_at, card, snapshot)
      VALUES (p_task, p_seq, p_digest, CASE p_lease WHEN 'set' THEN p_generation END, CASE p_lease WHEN 'set' THEN p_until END,
        p_status, p_lane, p_holder, p_addressed, p_dead, cardinality(p_needs) > 0, p_opened, p_card, p_snapshot)
      ON CONFLICT (id) DO NOTHING RETURNING n INTO number;
    IF NOT FOUND THEN
      ${headInto};
      RETURN;
    END IF;
    IF cardinality(p_needs) > 0 THEN PERFORM ${s}.put_waits(p_task, p_needs, p_watched); END IF;
  END IF;
  FOR i IN 1 .. cardinality(p_blob_codecs) LOOP
    INSERT INTO ${s}.blob(digest, codec, bytes, put_at, data)
      SELECT g.digest, p_blob_codecs[i], p_blob_bytes[i], p_at, substr(p_blob_data, taken::int, p_blob_sizes[i]::int)
      FROM (SELECT substr(p_blob_digests, i * 32 - 31, 32) AS digest) g ${unlessPut('g.digest')};
    taken := taken + p_blob_sizes[i];
  END LOOP;
  PERFORM pg_advisory_xact_lock_shared(${feed});
  INSERT INTO ${s}.entry(task, seq, digest, body) VALUES (number, p_seq, p_digest, p_body);
  IF p_key IS NOT NULL THEN INSERT INTO ${s}.entry_key(task, key, seq) VALUES (number, p_key, p_seq); END IF;
  IF p_hint IS NOT NULL AND p_seq > 0 THEN DELETE FROM ${s}.hint h WHERE h.task = p_task; END IF;
  IF p_hint = 'send' THEN
    INSERT INTO ${s}.hint(task, address, offer, due, deliveries) VALUES (p_task, p_hint_address, p_hint_offer, p_hint_due, 0)
      ON CONFLICT DO NOTHING;
  END IF;
  stored := true;
END $$;

CREATE FUNCTION ${s}.adopt_1(
  p_task text, p_after_seq bigint, p_after_digest bytea, p_seq bigint, p_digest bytea, p_snapshot bytea, p_card bytea,
  p_status text, p_lane text, p_holder text, p_addressed text, p_dead boolean, p_opened bigint, p_generation bigint, p_until bigint,
  p_seqs bigint[], p_digests bytea, p_keys text[], p_sizes bigint[], p_bodies bytea,
  ${outcome}
) LANGUAGE plpgsql ${guarded} AS $$
#variable_conflict use_column
DECLARE
  number bigint;
  taken bigint := 1;
BEGIN
  ${durable}
  stored := false;
  SELECT x.n INTO number FROM ${s}.task x WHERE x.id = p_task FOR NO KEY UPDATE;
  ${headInto};
  IF (seq, digest) IS DISTINCT FROM (p_after_seq, p_after_digest)
    OR EXISTS (SELECT 1 FROM ${s}.entry_key k WHERE k.task = number AND k.key = ANY (p_keys)) THEN
    RETURN;
  END IF;
  IF number IS NULL THEN
    INSERT INTO ${s}.task(id, seq, digest, lease_generation, lease_until, status, lane, holder, addressed, dead, waits, opened_at, card, snapshot)
      VALUES (p_task, p_seq, p_digest, p_generation, p_until, p_status, p_lane, p_holder, p_addressed, p_dead, false, p_opened, p_card, p_snapshot)
      ON CONFLICT (id) DO NOTHING RETURNING n INTO number;
    IF NOT FOUND THEN
      ${headInto};
      RETURN;
    END IF;
  ELSE
    UPDATE ${s}.task x SET seq = p_seq, digest = p_digest, status = p_status, lane = p_lane, holder = p_holder, addressed = p_addressed,
      dead = p_dead, waits = false, card = p_card, snapshot = p_snapshot, lease_generation = p_generation, lease_until = p_until
      WHERE x.n = number;
    DELETE FROM ${s}.wait w WHERE w.task = p_task;
  END IF;
  PERFORM pg_advisory_xact_lock_shared(${feed});
  FOR i IN 1 .. cardinality(p_seqs) LOOP
    INSERT INTO ${s}.entry(task, seq, digest, body)
      VALUES (number, p_seqs[i], substr(p_digests, i * 32 - 31, 32), substr(p_bodies, taken::int, p_sizes[i]::int));
    IF p_keys[i] IS NOT NULL THEN INSERT INTO ${s}.entry_key(task, key, seq) VALUES (number, p_keys[i], p_seqs[i]); END IF;
    taken := taken + p_sizes[i];
  END LOOP;
  DELETE FROM ${s}.hint h WHERE h.task = p_task;
  stored := true;
END $$;

CREATE FUNCTION ${s}.remove_1(p_task text, p_seq bigint, p_at bigint, p_leased boolean, p_generation bigint, p_until bigint)
RETURNS boolean LANGUAGE plpgsql ${guarded} AS $$
DECLARE
  t record;
  gone bigint;
BEGIN
  ${durable}
  SELECT x.n, x.seq, x.lease_generation, x.lease_until INTO t FROM ${s}.task x WHERE x.id = p_task FOR UPDATE;
  IF NOT FOUND OR t.seq <> p_seq THEN RETURN false; END IF;
  IF p_leased AND (t.lease_generation, t.lease_until) IS DISTINCT FROM (p_generation, p_until) THEN RETURN false; END IF;
  DELETE FROM ${s}.entry WHERE task = t.n;
  GET DIAGNOSTICS gone = ROW_COUNT;
  DELETE FROM ${s}.entry_key WHERE task = t.n;
  DELETE FROM ${s}.wait WHERE task = p_task;
  DELETE FROM ${s}.hint WHERE task = p_task;
  DELETE FROM ${s}.task WHERE n = t.n;
  INSERT INTO ${s}.removed(task, entries, at) VALUES (p_task, gone, p_at);
  RETURN true;
END $$;

CREATE FUNCTION ${s}.renew_1(p_task text, p_generation bigint, p_until bigint) RETURNS bigint LANGUAGE sql ${guarded} AS $$
  UPDATE ${s}.task SET lease_until = greatest(lease_until, p_until) WHERE id = p_task AND lease_generation = p_generation RETURNING lease_until
$$;

CREATE FUNCTION ${s}.put_blob_1(p_digest bytea, p_codec smallint, p_bytes bigint, p_at bigint, p_data bytea) RETURNS void LANGUAGE sql ${guarded} AS $$
  INSERT INTO ${s}.blob(digest, codec, bytes, put_at, data) SELECT p_digest, p_codec, p_bytes, p_at, p_data ${unlessPut('p_digest')}
$$;

CREATE FUNCTION ${s}.send_1(p_task text, p_address text, p_offer bigint, p_due bigint) RETURNS void LANGUAGE sql ${guarded} AS $$
  INSERT INTO ${s}.hint(task, address, offer, due, deliveries) VALUES (p_task, p_address, p_offer, p_due, 0) ON CONFLICT DO NOTHING
$$;

CREATE FUNCTION ${s}.receive_1(p_addresses text[], p_now bigint, p_until bigint, p_limit bigint)
RETURNS TABLE (sent bigint, address text, task text, offer bigint, due bigint, receipt text, deliveries bigint) LANGUAGE sql ${guarded} AS $$
  UPDATE ${s}.hint h SET due = p_until, deliveries = h.deliveries + 1, receipt = gen_random_uuid()::text
    FROM (SELECT w.task, w.address, w.offer FROM ${s}.hint w WHERE w.address = ANY (p_addresses) AND w.due <= p_now
          ORDER BY w.sent LIMIT p_limit FOR NO KEY UPDATE SKIP LOCKED) AS d
    WHERE h.task = d.task AND h.address = d.address AND h.offer = d.offer
    RETURNING h.sent, h.address, h.task, h.offer, h.due, h.receipt, h.deliveries
$$;

CREATE FUNCTION ${s}.settle_1(p_task text, p_address text, p_offer bigint, p_receipt text) RETURNS void LANGUAGE sql ${guarded} AS $$
  DELETE FROM ${s}.hint WHERE task = p_task AND address = p_address AND offer = p_offer AND receipt = p_receipt
$$;

CREATE FUNCTION ${s}.turn_1(p_name text, p_now bigint, p_until bigint) RETURNS boolean LANGUAGE sql ${guarded} AS $$
  INSERT INTO ${s}.turn AS t (name, until) VALUES (p_name, p_until)
    ON CONFLICT (name) DO UPDATE SET until = excluded.until WHERE t.until <= p_now RETURNING true
$$;
`;
}
