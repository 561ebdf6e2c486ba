import { leaseMsMax } from '../task/lapse.ts';

/** Every bound in one place. Bytes and milliseconds say so in their names. */
export const limits = {
  /** One journal entry, canonical bytes. Larger content goes to a blob. */
  entryBytesMax: 256 * 1024,
  /** Events of one entry. More needs than that are met in several entries. */
  eventsMax: 512,
  /** One text inside an event (a note, a decision, a reason). */
  textBytesMax: 32 * 1024,
  titleCharsMax: 200,
  nameCharsMax: 64,
  keyCharsMax: 200,
  listItemsMax: 200,
  /** Without its needs, which have a limit of their own. */
  contractBytesMax: 128 * 1024,
  /** A packet without its transcript and artefacts, which travel as blobs of their own. */
  packetBytesMax: 1024 * 1024,
  /** One stored blob. Transcripts are cut into smaller pieces. */
  blobBytesMax: 16 * 1024 * 1024,
  /** What one packet may add to the transcript. */
  transcriptBytesMax: 4 * 1024 * 1024 * 1024,
  /** Things that wait in a task's state: questions, unread messages, open effects. */
  waitingMax: 500,
  /** As much of a question as the state keeps; the journal has the rest. */
  waitingCharsMax: 500,
  lineageMax: 32,
  /** The terms of a contract stand in one entry, and 16 bytes for each need of it fill three quarters of that. */
  needsMax: (256 * 1024 * 3) / 4 / 16,
  phasesMax: 50,
  /** Commands whose latest runs a task's state keeps. */
  runsKeptMax: 50,

  /** Content of one file in a capture. A redacted copy may grow and must still fit a blob. */
  captureFileBytesMax: 8 * 1024 * 1024,
  captureBytesMax: 256 * 1024 * 1024,
  captureFilesMax: 10_000,
  /** A larger file is told apart by size and time of change; hashing it would hold up every probe. */
  hashFileBytesMax: 64 * 1024 * 1024,
  hashBytesMax: 1024 * 1024 * 1024,
  /** Changes and losses listed one by one in a packet's facts; the manifest lists all of them. */
  factItemsMax: 1000,
  factBytesMax: 192 * 1024,
  pathBytesMax: 4096,
  diffBytesMax: 4 * 1024 * 1024,
  submodulesMax: 100,
  gitMsMax: 120_000,
  gitOutputBytesMax: 64 * 1024 * 1024,

  /** Skills of one packet: how many, their files, and the bytes of these, all together. */
  skillsMax: 50,
  skillFilesMax: 500,
  skillBytesMax: 8 * 1024 * 1024,
  skillPathCharsMax: 400,

  /** Ignored files that are looked at for changes; 10,000 took 68 ms. */
  ignoredFilesMax: 50_000,
  runMsDefault: 10 * 60 * 1000,
  runOutputBytesMax: 1024 * 1024,
  /** How often a process that runs something long under a leg looks whether it still holds it. One look reads one row: 50 µs. */
  lossLookMs: 1000,
  /** Between asking a process group to end and ending it. */
  runGraceMs: 2000,
  /** How long an agent has, once it is asked to end: the slowest that was measured took 3.6 s to write its session down. */
  programGraceMs: 10_000,
  /** From starting an agent to its first session: the slowest that was measured took 23 s on a busy machine. */
  agentOpenMsMax: 120_000,
  /** One line of what an agent says: as much as the Agent Client Protocol's own library takes. */
  agentLineBytesMax: 32 * 1024 * 1024,

  /** Forks of forks that one export carries, and one line of it: its header names them all. */
  lineageTasksMax: 10_000,
  archiveLineBytesMax: 2 * 1024 * 1024,

  /** Of a briefing. The least holds what it is about and how to ask for more. */
  briefingTokensMin: 500,
  briefingTokensDefault: 4000,
  briefingTokensMax: 12_000,

  leaseMsDefault: 60_000,
  /**
   * Of an agent or a person who works in a session: between two of its calls lie a build, a test run, a long thought or a coffee. A worker
   * of the library renews its lease by itself and keeps the shorter default.
   */
  sessionLeaseMs: 30 * 60_000,
  leaseMsMin: 100,
  leaseMsMax,

  /** A blob that no entry names yet is kept at least this long: the writer may be on its way to the journal. */
  graceMsMin: 60_000,
  graceMsDefault: 60 * 60 * 1000,

  attemptsMaxDefault: 5,
  reworkMaxDefault: 3,
  /** Hops in a row that change neither workspace, progress nor decisions. */
  idleHopsMax: 8,
  backoffMsBase: 500,
  backoffMsMax: 5 * 60 * 1000,

  pageDefault: 50,
  pageMax: 1000,
} as const;
