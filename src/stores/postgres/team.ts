/**
 * Logins of a team. The owner of the schema may do everything, and so may a login that is given its role; any other login is admitted by the owner, with SQL:
 *
 *   SELECT staffetta_acme.admit('bots', 'agent');             its entries are those of agents, and give no verdict
 *   SELECT staffetta_acme.admit('qa', 'reviewer', 'auditor'); an agent that gives verdicts, under that name
 *   SELECT staffetta_acme.admit('ada', 'person');             what a person of that name says, verdicts too
 *   SELECT staffetta_acme.admit('relay', 'server');           a server, which has looked at tokens: it speaks for anybody
 *   SELECT staffetta_acme.dismiss('bots');
 *
 * A login that was admitted reads, and calls the functions that agents need. It has no right on a table: a row is written by a function, and a
 * trigger holds every entry against the login that brought it, which no client can choose. `session_user` is that login, also within
 * functions of the owner.
 */
import { entryDomain } from '../../core/journal/entry.ts';
import { sqlStates } from './errors.ts';

/** What recovering writes, in nobody's name. */
const systemEvents = ['leg-lapsed', 'offer-made', 'offer-expired', 'offer-dead', 'need-met', 'escalated'];

/** What every login that was admitted may read and call. */
const readable = ['meta', 'task', 'entry', 'entry_key', 'blob', 'hint', 'wait', 'removed', 'login', 'turn'];
const callable = [
  'append_1',
  'renew_1',
  'put_blob_1',
  'send_1',
  'receive_1',
  'settle_1',
  'turn_1',
  'feed_top',
];

function quoted(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(', ');
}

/** Where work ends well; the first waits for it to be integrated. */
const endings = ['integration-due', 'task-done'];

/** The first `%` is the login, each further one what is given beside. */
function refuse(why: string, ...more: readonly string[]): string {
  return `RAISE EXCEPTION '${why}', ${['session_user', ...more].join(', ')} USING ERRCODE = '${sqlStates.notYours}'`;
}

export function team(s: string): string {
  const every = (names: readonly string[]): string => names.map((name) => `${s}.${name}`).join(', ');
  return `
CREATE TABLE ${s}.login(
  name text COLLATE "C" PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('agent', 'reviewer', 'person', 'server')),
  actor text COLLATE "C" NOT NULL
);
CREATE TABLE ${s}.token(hash text COLLATE "C" PRIMARY KEY, said text NOT NULL);

-- The server's type for JSON takes no U+0000, which bodies may hold; what is looked at here never has one.
CREATE FUNCTION ${s}.as_json(p_bytes bytea) RETURNS json LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  written text := convert_from(p_bytes, 'UTF8');
BEGIN
  IF position('\\u0000' IN written) > 0 THEN
    written := regexp_replace(written, '(?<!\\\\)((?:\\\\\\\\)*)\\\\u0000', '\\1\\\\ufffd', 'g');
  END IF;
  RETURN written;
END $$;

CREATE FUNCTION ${s}.judge_entry() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  who record;
  head record;
  said json;
  kind text;
  name text;
  types text[];
  ends boolean;
  ended boolean;
BEGIN
  SELECT l.kind, l.actor INTO who FROM ${s}.login l WHERE l.name = session_user;
  IF NOT FOUND THEN
    IF pg_has_role(session_user, (SELECT nspowner FROM pg_namespace WHERE nspname = '${s}'), 'USAGE') THEN RETURN NEW; END IF;
    ${refuse('the login % was not admitted')};
  END IF;
  IF NEW.digest <> sha256(convert_to('${entryDomain.trimEnd()}' || chr(10), 'UTF8') || NEW.body) THEN
    ${refuse('the digest that % gives is not that of its entry')};
  END IF;
  IF who.kind = 'server' THEN RETURN NEW; END IF;
  said := ${s}.as_json(NEW.body);
  kind := coalesce(said -> 'by' ->> 'kind', '');
  name := coalesce(said -> 'by' ->> 'name', '');
  types := ARRAY(SELECT e ->> 'type' FROM json_array_elements(said -> 'events') e);
  IF (kind = 'human' OR 'phase-approved' = ANY (types)) AND NOT (kind = 'human' AND who.kind = 'person' AND name = who.actor) THEN
    ${refuse('the login % was admitted as % %, and what it brings takes the person %', 'who.kind', 'who.actor', 'name')};
  END IF;
  IF types && ARRAY['review-approved', 'review-sent-back'] AND NOT (name = who.actor AND (who.kind = 'reviewer' OR (who.kind = 'person' AND kind = 'human'))) THEN
    ${refuse('the login % was admitted as % %, and gives no verdicts as % %', 'who.kind', 'who.actor', 'kind', 'name')};
  END IF;
  IF kind NOT IN ('agent', 'human') AND NOT types <@ ARRAY[${quoted(systemEvents)}] THEN
    ${refuse('the login % does not speak for the system')};
  END IF;
  -- What lists and readers go by is beside the entry, and must not say more than ever came to pass.
  SELECT t.status, ${s}.as_json(substr(t.snapshot, 34)) ->> 'status' AS folded INTO head FROM ${s}.task t WHERE t.n = NEW.task;
  IF head.status IS DISTINCT FROM head.folded THEN
    ${refuse('what % gives beside its entry contradicts itself')};
  END IF;
  ends := types && ARRAY[${quoted(endings)}];
  IF NOT (ends OR head.status IN ('approved', 'done')) THEN RETURN NEW; END IF;
  ended := EXISTS (SELECT 1 FROM ${s}.entry e WHERE e.task = NEW.task AND (${endings.map((type) => `position('"type":"${type}"'::bytea IN e.body) > 0`).join(' OR ')}));
  IF NOT (ends OR ended) THEN
    ${refuse('% calls approved what nobody approved')};
  END IF;
  IF ends AND NOT ('review-approved' = ANY (types) OR (ended AND 'integrated' = ANY (types))) AND coalesce((
    SELECT (e -> 'terms' -> 'review' ->> 'owner') IS NOT NULL OR (e -> 'terms' -> 'review' ->> 'human') = 'true'
      FROM ${s}.entry x, json_array_elements(${s}.as_json(x.body) -> 'events') e
      WHERE x.task = NEW.task AND position('"terms":'::bytea IN x.body) > 0 AND e -> 'terms' IS NOT NULL ORDER BY x.seq DESC LIMIT 1), false) THEN
    ${refuse('% ends what somebody has to approve')};
  END IF;
  RETURN NEW;
END $$;
-- The owner is held against nothing. To look that up for each of its entries took as long as to store it.
INSERT INTO ${s}.meta(key, value) SELECT 'owner', pg_get_userbyid(nspowner) FROM pg_namespace WHERE nspname = '${s}';
DO $do$ BEGIN
  EXECUTE format('CREATE TRIGGER judged BEFORE INSERT ON ${s}.entry FOR EACH ROW WHEN (session_user <> %L) EXECUTE FUNCTION ${s}.judge_entry()',
    (SELECT value FROM ${s}.meta WHERE key = 'owner'));
END $do$;

CREATE FUNCTION ${s}.dismiss(p_login name) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM ${s}.login WHERE name = p_login;
  EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA ${s} FROM %I', p_login);
  EXECUTE format('REVOKE ALL ON ALL FUNCTIONS IN SCHEMA ${s} FROM %I', p_login);
  EXECUTE format('REVOKE ALL ON SCHEMA ${s} FROM %I', p_login);
END $$;

CREATE FUNCTION ${s}.admit(p_login name, p_kind text, p_actor text DEFAULT NULL) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF p_login = (SELECT value FROM ${s}.meta WHERE key = 'owner') THEN
    RAISE EXCEPTION 'the login % made this store, and is held against nothing: admit another', p_login;
  END IF;
  PERFORM ${s}.dismiss(p_login);
  INSERT INTO ${s}.login(name, kind, actor) VALUES (p_login, p_kind, coalesce(p_actor, p_login));
  -- Who may not write it can only read it.
  INSERT INTO ${s}.meta(key, value) VALUES ('secret', encode(sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')), 'hex'))
    ON CONFLICT DO NOTHING;
  EXECUTE format('GRANT USAGE ON SCHEMA ${s} TO %I', p_login);
  EXECUTE format('GRANT SELECT ON ${every(readable)} TO %I', p_login);
  EXECUTE format('GRANT EXECUTE ON FUNCTION ${every(callable)} TO %I', p_login);
  IF p_kind = 'server' THEN EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON ${s}.token TO %I', p_login); END IF;
END $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA ${s} FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ${s}.feed_top TO PUBLIC;
`;
}
