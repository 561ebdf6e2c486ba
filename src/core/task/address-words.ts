/**
 * What somebody means who writes whom work is for. The command, the server and the tools for agents all ask here, so that one word is
 * never two addresses; the page sends what was typed.
 */
import { isLane } from './actor.ts';
import { lanes } from './lanes.ts';
import { isAddress, type Address } from './address.ts';
import { programMeant, runtimeNames, slippedRuntime } from '../resume/runtime-names.ts';
import { isSlip, suggest } from '../base/suggest.ts';

export type MeantAddress = { readonly address: Address } | NoAddress;

/** What is wrong, and what to write instead. */
export interface NoAddress {
  readonly address: null;
  readonly message: string;
  readonly hint: string;
}

/** What is told to a caller that names a person: how a person is asked instead. */
export interface PersonWords {
  readonly message: string;
  readonly hint: string;
}

const kinds: readonly string[] = ['agent', 'lane', 'runtime'];

const forms = 'Allowed: agent:NAME, lane:LANE, runtime:NAME, anyone, or one of these names alone.';

/** Words that mean a person, who is asked in another way. */
const people: ReadonlySet<string> = new Set(['human', 'person', 'me', 'user']);

/** `human`, `human:ada`, `user`: no agent. */
export function isPersonAddress(given: string): boolean {
  return people.has(given.split(':')[0]?.toLowerCase() ?? '');
}

/** How a person is asked instead of an agent. */
const offered: PersonWords = {
  message: 'Work is offered to agents',
  hint: "For a person's approval: open it with --review human, and submit. For a person's decision: staffetta escalate TASK --why TEXT.",
};

/** Much longer than any address: enough of it to be recognised. */
const echoMax = 200;

/** `agent:x`, `lane:x`, `runtime:x`, `anyone`; a bare word is a lane, a known program as people call it, or else an agent. */
export function addressMeant(given: string, person: PersonWords = offered): MeantAddress {
  if (given.startsWith('runtime:')) {
    const slip = slippedRuntimeWords('runtime:', given.slice('runtime:'.length));
    if (slip !== undefined) return slip;
    const known = programMeant(given.slice('runtime:'.length));
    if (known !== undefined) return { address: `runtime:${known}` };
  }
  if (isAddress(given)) return { address: given };
  if (given.includes(':')) return wrongKind(given, person);
  if (people.has(given.toLowerCase())) return wantsPerson(given, person);
  const program = programMeant(given);
  if (program !== undefined) return { address: `runtime:${program}` };
  const known = [...lanes, ...runtimeNames, 'anyone'];
  const exact = known.find((word) => word !== given && word === given.toLowerCase());
  const slip = exact ?? known.find((word) => isSlip(given, word));
  if (slip !== undefined) {
    return none(
      `${given} is neither a lane nor a runtime. Did you mean ${slip}, or an agent called ${given}?`,
      `Write ${slip}, or agent:${given} if that is its name. ${forms}`,
    );
  }
  const full = `${isLane(given) ? 'lane' : 'agent'}:${given}`;
  return isAddress(full) ? { address: full } : none(`${echo(given)} is no address.`, forms);
}

/** Undefined where the name is not nearly that of a known runtime. `said` is what stood before it. */
export function slippedRuntimeWords(said: string, name: string): NoAddress | undefined {
  const meant = slippedRuntime(name);
  if (meant === undefined) return undefined;
  return none(
    `${said}${name} is not a runtime that is known here.`,
    `Did you mean: ${said}${meant}. Known: ${runtimeNames.join(', ')}; others may have any name that is not nearly one of these.`,
  );
}

/** `kind:rest`, where the kind or what follows it is wrong. */
function wrongKind(given: string, person: PersonWords): NoAddress {
  const [kind = '', rest = ''] = given.split(/:(.*)/s);
  if (kind === 'lane') {
    const near = suggest(rest.toLowerCase(), lanes);
    const meant = near === undefined ? '' : `Did you mean: lane:${near}. `;
    return none(`There is no lane ${echo(rest)}.`, `${meant}One of: ${lanes.join(', ')}`);
  }
  if (people.has(kind.toLowerCase())) return wantsPerson(given, person);
  const nearKind = kinds.includes(kind) ? undefined : suggest(kind.toLowerCase(), kinds);
  const meant = nearKind === undefined ? '' : `Did you mean: ${nearKind}:${rest.slice(0, echoMax)}. `;
  return none(`${echo(given)} is no address.`, `${meant}${forms}`);
}

function wantsPerson(given: string, { message, hint }: PersonWords): NoAddress {
  return none(
    `${message}, and ${echo(given)} is a word for a person.`,
    `${hint} If an agent is called so: agent:NAME`,
  );
}

function echo(given: string): string {
  return JSON.stringify(given.slice(0, echoMax));
}

function none(message: string, hint: string): NoAddress {
  return { address: null, message, hint };
}
