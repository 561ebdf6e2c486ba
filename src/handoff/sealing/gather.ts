/**
 * What goes into a packet, made ready before the journal is touched: secrets are taken out, the workspace is captured, and what is
 * large is stored. Done once, however often the append has to be tried.
 */
import { defined, filled } from '../../core/base/defined.ts';
import type { Digest } from '../../core/journal/digest.ts';
import { workspaceLoss } from '../../core/packet/missing.ts';
import { isStaffettaError, StaffettaError } from '../../core/base/error.ts';
import { limits } from '../../core/base/limits.ts';
import { PacketWords, type Chunk, type Facts, type SessionFact } from '../../core/packet/packet.ts';
import { parse } from '../../core/base/parse.ts';
import { totalCounts, type Redactions } from '../../core/redact/redactions.ts';
import type { Redactor } from '../../core/redact/redactor.ts';
import { namedSkills } from '../../core/skill/skill.ts';
import type { WorkStart } from '../../core/task/start.ts';
import { sealManifest, type Loss } from '../../core/tree/workspace.ts';
import type { Capture, OpenPacked, StoreContent } from '../../ports/workspace.ts';
import { crossBorder, searchedOrNull, withoutIds } from './captured.ts';
import type { CleanTexts } from '../record/redacted.ts';
import type { Context } from '../record/context.ts';
import type * as Conversations from './conversation.ts';
import { keepSkills, type SkillsWanted } from './keep-skills.ts';
import { Keeper } from './keeper.ts';
import { capturedBefore, nativeRecords, type SessionInput } from './native-session.ts';
import { readBack, seenElsewhere, type CapturedTree, type Passed, type Reasoning } from './seen-elsewhere.ts';
import { keepSubagents, subagentsAgain } from './subagents.ts';
import { cutPieces, pieces } from './transcript-pieces.ts';
import { workFolderOf } from '../sessions/work-folder.ts';

/** What an agent leaves behind. Everything is optional; an empty packet still marks the place. */
export interface PacketInput extends PacketWords {
  /** The reasoning since the last packet, as the runtime wrote it. */
  readonly transcript?: string | Uint8Array | AsyncIterable<Uint8Array>;
  readonly media?: string;
  /** The session of a coding agent instead: what is new in it since the last packet. */
  readonly session?: SessionInput;
}

export interface Material {
  /** As the caller gave it, without what is stored apart: for telling a repetition from another request. */
  readonly request: unknown;
  readonly input: PacketWords;
  readonly chunks: readonly Chunk[];
  readonly inline: readonly Uint8Array[];
  readonly facts: Pick<
    Facts,
    'session' | 'subagents' | 'conversation' | 'workspace' | 'folder' | 'manifest' | 'diff' | 'skills'
  >;
  /** What the transcript is where no session was named, and the packet after which that was found out. */
  readonly conversation?: { readonly given: Conversations.GivenConversation; readonly parent: Digest | null };
  /** Texts of the call in which nothing was found. */
  readonly clean: CleanTexts;
  /** Everything of the workspace that is not in the packet. */
  readonly losses: readonly Loss[];
  /** What lies in its working tree, if that was asked for. */
  readonly content?: Digest;
  readonly redactions: Readonly<Record<string, number>>;
}

export interface GatherOptions {
  /** The packet that this one comes after: a session is captured from where that chain ends. */
  readonly parent?: Digest | null | undefined;
  readonly dryRun?: boolean | undefined;
  /** Where the work began, as far as anybody knows. */
  readonly since?: WorkStart | null | undefined;
  /** The branch it is agreed to go onto. */
  readonly onto?: string | undefined;
  /** What was said goes out even without the workspace, if that cannot be read. */
  readonly emergency?: boolean | undefined;
  /** There is no time for the diff, which is only for people. */
  readonly noDiff?: boolean | undefined;
  /** Texts of the call that are recorded beside the packet. */
  readonly besides?: readonly string[] | undefined;
  /** Runs are told that may have been seen on what lies in the working tree. */
  readonly content?: boolean | undefined;
  /** Skills that the contract names, and the program that the work was done in. */
  readonly skills?: Pick<SkillsWanted, 'named' | 'runtime'> | undefined;
}

export async function gather(
  context: Context,
  input: PacketInput,
  options: GatherOptions = {},
): Promise<Material> {
  const redactor = await context.redactor();
  const parent = options.parent ?? null;
  const first = await passed(context, redactor, {
    words: wordsOf(input),
    options,
    keep: async (keeper, found) => ({
      ...(await keepReasoning(context, keeper, redactor, { input, found, parent })),
      ...(await workFolderOf(context, redactor, { session: input.session, parent })),
    }),
  });
  const values = await seenElsewhere(first);
  const last =
    values.length === 0 ? first : await passedAgain(context, redactor.knowing(values), first, options);
  const { session, subagents, conversation, chunks, folder } = last.reasoning;
  return {
    // What else a secret was found in may change until a request is repeated.
    request: requestOf(input, first.reasoning.chunks),
    input: withLosses(last.words, [
      ...missingIn(last.workspace),
      ...(first.reasoning.losses ?? []),
      ...last.kept.losses,
    ]),
    chunks,
    inline: last.keeper.inline,
    facts: {
      ...defined({ session }),
      ...(subagents === undefined || subagents.length === 0 ? {} : { subagents: [...subagents] }),
      ...last.workspace.facts,
      ...(folder === undefined || last.workspace.facts.workspace === undefined ? {} : { folder }),
      ...(last.kept.skills.length === 0 ? {} : { skills: [...last.kept.skills] }),
    },
    ...defined({ conversation }),
    clean: last.clean,
    losses: last.workspace.losses,
    ...defined({ content: last.workspace.content }),
    redactions: totalCounts([...first.said, ...(last === first ? [] : last.said), ...last.inWorkspace]),
  };
}

interface Asked {
  readonly words: PacketWords;
  readonly options: GatherOptions;
  readonly keep: (keeper: Keeper, found: Redactions[]) => Promise<Reasoning>;
}

/** Everything searched and kept once. */
async function passed(
  context: Context,
  redactor: Redactor,
  { words: given, options, keep }: Asked,
): Promise<Passed> {
  const keeper = new Keeper(context, options.dryRun === true);
  const said: Redactions[] = [];
  const inWorkspace: Redactions[] = [];
  // Git is slow to start and the transcript is long: each goes on while the other waits. Both are over before either fails.
  const [reasoning, workspace] = await Promise.allSettled([
    keep(keeper, said),
    captureWork(context, keeper, redactor, { found: inWorkspace, ...options }),
  ]);
  if (reasoning.status === 'rejected') throw reasoning.reason;
  if (workspace.status === 'rejected') throw workspace.reason;
  const { capture, ...taken } = workspace.value;
  const border = await crossBorder(redactor, { words: given, capture, besides: options.besides ?? [] });
  const { words } = border;
  said.push(border.said);
  const { skills, parent = null } = options;
  const keptSkills = await keepSkills(context, keeper, redactor, {
    named: namedSkills({ skills: skills?.named }, words),
    runtime: skills?.runtime,
    parent,
    found: inWorkspace,
  });
  const sealed =
    border.capture === null ? withoutWorkspace : await keepCapture(context, keeper, border.capture);
  await keeper.settle();
  return {
    keeper,
    words,
    clean: border.clean,
    kept: keptSkills,
    reasoning: reasoning.value,
    workspace: { ...sealed, ...taken },
    said,
    inWorkspace,
  };
}

/** A secret that was recognised somewhere stands elsewhere too: all is searched once more by the redactor that knows it. */
async function passedAgain(
  context: Context,
  redactor: Redactor,
  { keeper: before, words, reasoning }: Passed,
  options: GatherOptions,
): Promise<Passed> {
  const { chunks, session, folder, subagents = [] } = reasoning;
  const worked = folder === undefined ? {} : { folder: (await redactor.text(folder)).value };
  const { media } = chunks[0] ?? {};
  const own = chunks.slice(0, chunks.length - subagents.reduce((sum, one) => sum + one.chunks, 0));
  const input = { transcript: readBack(before, own), ...defined({ media }) };
  return await passed(context, redactor, {
    words,
    options,
    keep: async (keeper, found) => {
      if (chunks.length === 0) return { ...reasoning, ...worked };
      if (session === undefined)
        return {
          ...worked,
          ...(await keepGiven(context, keeper, redactor, { input, found, parent: options.parent ?? null })),
        };
      const again = await keepTranscript(keeper, redactor, { input, found });
      const others = await subagentsAgain(reasoning, async (of) => {
        const transcript = readBack(before, of);
        return await keepTranscript(keeper, redactor, { input: { ...input, transcript }, found });
      });
      return {
        ...worked,
        chunks: [...again, ...others.chunks],
        session: await withoutSecretsIn(redactor, session),
        subagents: await Promise.all(
          others.subagents.map(async (one) => await withoutSecretsIn(redactor, one)),
        ),
      };
    },
  });
}

interface ReasoningInput {
  readonly input: PacketInput;
  readonly found: Redactions[];
  readonly parent: Digest | null;
}

async function keepReasoning(
  context: Context,
  keeper: Keeper,
  redactor: Redactor,
  { input, found, parent }: ReasoningInput,
): Promise<Reasoning> {
  const { session } = input;
  if (session === undefined && input.transcript === undefined) return { chunks: [] };
  if (session === undefined) return await keepGiven(context, keeper, redactor, { input, found, parent });
  if (input.transcript !== undefined)
    throw new StaffettaError('invalid-input', 'A packet takes a transcript or a session, not both.', {
      hint: 'Leave the transcript out: the session holds it.',
    });
  const before = await capturedBefore(context, parent, session);
  const native = await nativeRecords(session, before);
  const media = `application/x-ndjson; runtime=${session.runtime}`;
  const keep = async (transcript: AsyncIterable<Uint8Array>, cleanBy?: Redactor): Promise<Chunk[]> =>
    await keepTranscript(keeper, redactor, {
      input: { transcript, media },
      found,
      isClean: cleanBy === redactor,
    });
  const chunks = await keep(native.lines, native.cleanBy);
  const fact = native.fact();
  const others = await keepSubagents(session, { fact, known: before.subagents, keep });
  return {
    chunks: [...chunks, ...others.chunks],
    session: await withoutSecretsIn(redactor, fact),
    subagents: await Promise.all(others.subagents.map(async (one) => await withoutSecretsIn(redactor, one))),
    losses: (await redactor.json(others.losses)).value,
  };
}

/** A cursor is the adapter's, and no text. */
async function withoutSecretsIn<T extends SessionFact>(redactor: Redactor, fact: T): Promise<T> {
  const { cursor, ...rest } = fact;
  return { ...fact, ...(await redactor.json(rest)).value, cursor };
}

/** Not needed for most packets, and not loaded for them. To ask Node for it anew takes as long as a page takes to the disk. */
let conversations: Promise<typeof Conversations> | undefined;

async function keepGiven(
  context: Context,
  keeper: Keeper,
  redactor: Redactor,
  { input, found, parent }: ReasoningInput,
): Promise<Reasoning> {
  const { GivenTranscript } = await (conversations ??= import('./conversation.ts'));
  const given = new GivenTranscript(context, parent);
  const chunks = await keepTranscript(keeper, redactor, { input, found, seen: (bytes) => given.push(bytes) });
  const conversation = await given.end();
  return conversation === undefined ? { chunks } : { chunks, conversation: { given: conversation, parent } };
}

/** A repetition may find the session grown: what is asked is to take what is new, however much that is. */
function requestOf({ session, ...input }: PacketInput, chunks: readonly Chunk[]): unknown {
  return session === undefined
    ? { ...input, transcript: chunks }
    : { ...input, session: { runtime: session.runtime, id: session.id } };
}

interface TranscriptInput {
  readonly input: Pick<PacketInput, 'transcript' | 'media'>;
  readonly found: Redactions[];
  /** It was searched before, and there is nothing in it. */
  readonly isClean?: boolean;
  /** Told what is stored, as it is stored. */
  readonly seen?: (bytes: Uint8Array) => void;
}

async function keepTranscript(
  keeper: Keeper,
  redactor: Redactor,
  { input, found, isClean = false, seen }: TranscriptInput,
): Promise<Chunk[]> {
  const given = pieces(input.transcript);
  const searched = isClean ? undefined : redactor.stream(given);
  const chunks: Chunk[] = [];
  for await (const bytes of cutPieces(searched ?? given)) {
    seen?.(bytes);
    const blob = await keeper.keep(bytes);
    chunks.push({ blob, bytes: bytes.length, ...defined({ media: input.media }) });
  }
  if (searched !== undefined) found.push(searched.redactions());
  return chunks;
}

/** Shapes are checked before anything of it is stored. */
function wordsOf(input: PacketInput): PacketWords {
  const { transcript: _transcript, media: _media, session: _session, ...words } = input;
  return parse(PacketWords, words, 'packet');
}

/** As it was taken; the names in it are still to be searched. */
interface Taken extends Pick<CapturedTree, 'missing' | 'packed'> {
  readonly capture: Capture | null;
}

const withoutWorkspace: CapturedTree = { facts: {}, losses: [] };

/** In an emergency, what was said is kept even where the workspace cannot be read: the packet says why it has none. */
async function captureWork(...given: Parameters<typeof captureWorkspace>): Promise<Taken> {
  try {
    return await captureWorkspace(...given);
  } catch (error) {
    const [, , redactor, { emergency }] = given;
    if (emergency !== true || !isStaffettaError(error)) throw error;
    return { capture: null, missing: (await redactor.text(error.message.toWellFormed())).value };
  }
}

type Losses = NonNullable<PacketWords['losses']>;

function missingIn({ missing }: CapturedTree): Losses {
  return missing === undefined ? [] : [{ what: workspaceLoss, why: missing }];
}

function withLosses(words: PacketWords, more: Losses): PacketWords {
  if (more.length === 0) return words;
  return { ...words, losses: [...(words.losses ?? []).slice(0, limits.listItemsMax - more.length), ...more] };
}

async function captureWorkspace(
  context: Context,
  keeper: Keeper,
  redactor: Redactor,
  { found, noDiff, since, onto, content }: GatherOptions & { readonly found: Redactions[] },
): Promise<Taken> {
  if (context.workspace === undefined) return { capture: null };
  let isClean = true;
  const packed = new Map<Digest, OpenPacked>();
  const store: StoreContent = async (bytes, piece) => {
    const open = piece.kind === 'diff' ? undefined : piece.packed;
    const searched = await searchedOrNull(redactor, bytes, open);
    if (searched === null) return null;
    const { value, redactions, inside, isClosed } = searched;
    found.push(redactions, ...inside);
    isClean &&= redactions.findings.length === 0 && inside.length === 0;
    if (inside.length > 0) return { stored: null, reason: 'secret-inside' };
    // The diff comes last, and has a line for every file, also for one whose content it does not show.
    const stored = await keeper.keep(isClean || piece.kind !== 'diff' ? value : withoutIds(value));
    if (open !== undefined) packed.set(stored, open);
    return isClosed ? { stored, reason: 'not-searched' } : stored;
  };
  const workspace = await context.workspace();
  const capture = await workspace.capture(store, {
    noDiff: noDiff === true,
    since: since ?? null,
    onto,
    content: content === true,
  });
  return { capture, packed };
}

async function keepCapture(
  context: Context,
  keeper: Keeper,
  { facts, manifest, diff, content }: Capture,
): Promise<CapturedTree> {
  const list = sealManifest(manifest);
  await keeper.keep(list.bytes);
  context.reached('seal:captured');
  return {
    facts: {
      workspace: facts,
      manifest: list.digest,
      ...(diff === null
        ? {}
        : {
            diff: {
              blob: diff.stored,
              bytes: diff.bytes,
              added: diff.added,
              removed: diff.removed,
              ...filled({ cut: diff.cut }),
              ...defined({ committed: diff.committed }),
            },
          }),
    },
    losses: manifest.losses,
    ...defined({ content }),
  };
}
