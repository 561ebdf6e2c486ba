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

/** `%` is the login. */
function refuse(why: string): string {
  return `RAISE EXCEPTION '${why}', session_user USING ERRCODE = '${sqlStates.notYours}'`;
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

CREATE FUNCTION ${s}.judge_entry() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  who record;
  head record;
  said json;
  kind text;
  name text;
  gives_verdict boolean;
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
  said := convert_from(NEW.body, 'UTF8')::json;
  kind := coalesce(said -> 'by' ->> 'kind', '');
  name := coalesce(said -> 'by' ->> 'name', '');
  gives_verdict := EXISTS (SELECT 1 FROM json_array_elements(said -> 'events') e WHERE e ->> 'type' IN ('review-approved', 'review-sent-back'));
  IF kind = 'human' AND (who.kind <> 'person' OR name <> who.actor) THEN
    ${refuse('the login % is not that person')};
  END IF;
  IF gives_verdict AND NOT (name = who.actor AND (who.kind = 'reviewer' OR (who.kind = 'person' AND kind = 'human'))) THEN
    ${refuse('the login % gives no verdicts in that name')};
  END IF;
  IF kind NOT IN ('agent', 'human') AND EXISTS (
    SELECT 1 FROM json_array_elements(said -> 'events') e WHERE e ->> 'type' NOT IN (${quoted(systemEvents)})) THEN
    ${refuse('the login % does not speak for the system')};
  END IF;
  -- What lists and readers go by is beside the entry, and must not say more than was ever approved.
  SELECT t.status, substr(convert_from(t.snapshot, 'UTF8'), 34)::json ->> 'status' AS folded INTO head FROM ${s}.task t WHERE t.n = NEW.task;
  IF head.status IS DISTINCT FROM head.folded THEN
    ${refuse('what % gives beside its entry contradicts itself')};
  END IF;
  IF head.status = 'approved' AND NOT gives_verdict AND NOT EXISTS (
    SELECT 1 FROM ${s}.entry e WHERE e.task = NEW.task AND position('"type":"review-approved"'::bytea IN e.body) > 0) THEN
    ${refuse('% calls approved what nobody approved')};
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
