import { defined } from '../../core/base/defined.ts';
import { basename, extname } from 'node:path';
import { isStaffettaError, StaffettaError } from '../../core/base/error.ts';
import { limits } from '../../core/base/limits.ts';
import { joinedClaims, noteEvents, progressClaims, tellsPhases } from '../../core/files/notes.ts';
import { digestOf } from '../../core/journal/digest.ts';
import { Claims } from '../../core/packet/packet.ts';
import { artefactFrom, claimFrom, questionFrom } from '../../core/packet/spelled-claims.ts';
import { parse } from '../../core/base/parse.ts';
import { titleFrom } from '../../core/base/text.ts';
import { carry, type Held } from '../../handoff/verbs/carry.ts';
import type { PacketInput } from '../../handoff/sealing/gather.ts';
import { readBytes, readText } from '../frame/input.ts';
import { line, type Output } from '../frame/output.ts';
import type { Values } from '../frame/spec.ts';
import { suggest } from '../../core/base/suggest.ts';
import type { Session } from './session.ts';
import { UsageError } from '../frame/usage.ts';
import { text, texts } from '../frame/values.ts';

/** What --done, --next, --transcript and the others say, as a packet's content. What no claim has a place for stands in the summary. */
export async function packetInput(values: Values, output?: Pick<Output, 'say'>): Promise<PacketInput> {
  const { notes, ...input } = await readInput(values, output);
  return notes.length === 0
    ? input
    : { ...input, claims: joinedClaims(input.claims, { summary: notes.join('\n') }) };
}

/** The same for a holder: that is written down as notes first. The same notes once only, should it be refused and tried again. */
export async function packetInputOf(session: Session, { task, generation }: Held): Promise<PacketInput> {
  const { notes, ...input } = await readInput(session.values, session.output);
  const events = noteEvents(basename(text(session.values, 'claims') ?? ''), notes);
  if (events.length > 0 && !session.dryRun)
    await carry(await session.context(), { task, generation }, events, {
      by: session.actor,
      key: `notes:${digestOf(JSON.stringify(events)).slice(-40)}`,
    });
  return input;
}

interface Noted {
  readonly notes: readonly string[];
}

async function readInput(
  values: Values,
  output: Pick<Output, 'say'> | undefined,
): Promise<PacketInput & Required<Pick<PacketInput, 'claims'>> & Noted> {
  const transcript = text(values, 'transcript');
  const claimsFile = text(values, 'claims');
  if (transcript === '-' && claimsFile === '-')
    throw new UsageError('Only one of --transcript and --claims can read stdin.');
  const artefacts = texts(values, 'artefact')?.map(artefactFrom);
  const skills = texts(values, 'skill');
  const bytes = transcript === undefined ? undefined : readBytes(transcript);
  const read = claimsFile === undefined ? { claims: {}, notes: [] } : await readClaims(claimsFile, output);
  return {
    ...read,
    claims: { ...read.claims, ...claimsFrom(values) },
    ...defined({ artefacts }),
    ...(skills === undefined ? {} : { skills: [...skills] }),
    ...defined({ transcript: bytes }),
  };
}

function claimsFrom(values: Values): Claims {
  const lists = {
    done: texts(values, 'done')?.map(claimFrom),
    doing: texts(values, 'doing')?.map(claimFrom),
    remaining: texts(values, 'remaining')?.map(claimFrom),
    blockers: texts(values, 'blocker')?.map(claimFrom),
  };
  const questions = texts(values, 'question')?.map(questionFrom);
  const single = { next: text(values, 'next'), summary: text(values, 'summary'), questions };
  return Object.fromEntries(
    Object.entries({ ...lists, ...single }).filter(([, value]) => value !== undefined),
  );
}

type Read = Required<Pick<PacketInput, 'claims'>> & Pick<PacketInput, 'losses'> & Noted;

async function readClaims(file: string, output: Pick<Output, 'say'> | undefined): Promise<Read> {
  const source = await readText(file);
  if (['.md', '.markdown'].includes(extname(file).toLowerCase()))
    return await handoffClaims(file, source, output);
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch (cause) {
    throw new StaffettaError(
      'invalid-input',
      `${file === '-' ? 'stdin' : file} is not JSON: ${(cause as Error).message}`,
      { cause, hint: `An object with any of: ${Object.keys(Claims.shape).join(', ')}` },
    );
  }
  const told = tellsPhases(source) ? progressClaims(source) : undefined;
  return { claims: told ?? claims(value, file === '-' ? 'stdin' : file), notes: [] };
}

const fields = Object.keys(Claims.shape);
const shapes =
  'Lists hold texts, or objects with text and evidence. decisions: text, why, rejected, evidence. failed: what, why, evidence. questions: text, owner, evidence. next, command and summary are texts.';

function claims(value: unknown, source: string): Claims {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new StaffettaError('invalid-input', `${source} holds no claims: it should be an object.`, {
      hint: `With any of: ${fields.join(', ')}`,
    });
  }
  const strange = Object.keys(value).find((name) => !fields.includes(name));
  if (strange !== undefined) {
    const near = suggest(strange, fields);
    throw new StaffettaError('invalid-input', `claims: unknown field ${strange}`, {
      details: { field: strange },
      hint: `${near === undefined ? '' : `Did you mean ${near}? `}Allowed: ${fields.join(', ')}`,
    });
  }
  try {
    return parse(Claims, value, 'claims');
  } catch (error) {
    if (!isStaffettaError(error)) throw error;
    throw new StaffettaError(error.code, error.message, {
      details: error.details,
      hint: shapes,
      cause: error,
    });
  }
}

/**
 * Only what the agent claims is read from a HANDOFF.md; a caller who edited the rest is told that it changes nothing. What could not be
 * read is said, and goes on record as not carried over.
 */
async function handoffClaims(
  file: string,
  source: string,
  output: Pick<Output, 'say'> | undefined,
): Promise<Read> {
  const { handoffEdits } = await import('../../core/files/handoff-markdown.ts');
  const { readHandoff } = await import('../../core/files/handoff-read.ts');
  const { claims: found, notes, remarks } = readHandoff(source);
  const { ours, factsEdited } = handoffEdits(source);
  if (!ours && Object.keys(found).length === 0) {
    throw new StaffettaError('invalid-input', `${file} has no section that holds claims.`, {
      hint: 'Headings such as "## Done" and "## Next action"; staffetta brief writes one to start from.',
    });
  }
  if (factsEdited)
    output?.say(
      `Only the claims of ${file} were read: contract and facts in it are not taken over, facts are probed again. Artefacts are named with --artefact.`,
    );
  for (const { line: at, text: said } of remarks) output?.say(`${file}, line ${at}: ${line(said)}`, 'warn');
  const losses = remarks
    .filter(({ lost }) => lost)
    .slice(0, limits.listItemsMax)
    .map((remark) => ({ what: titleFrom(`line ${remark.line} of ${basename(file)}`), why: remark.text }));
  return { claims: found, notes, ...(losses.length === 0 ? {} : { losses }) };
}
