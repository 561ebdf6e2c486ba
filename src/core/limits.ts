/** Every bound in one place. Bytes and milliseconds say so in their names. */
export const limits = {
  /** One journal entry, canonical bytes. Larger content goes to a blob. */
  entryBytesMax: 256 * 1024,
  /** One text inside an event (a note, a decision, a reason). */
  textBytesMax: 32 * 1024,
  titleCharsMax: 200,
  nameCharsMax: 64,
  keyCharsMax: 200,
  listItemsMax: 200,
  contractBytesMax: 128 * 1024,
  /** A packet without its transcript and artefacts, which travel as blobs of their own. */
  packetBytesMax: 1024 * 1024,
  /** One stored blob; longer transcripts are cut into chunks of this size. */
  blobBytesMax: 16 * 1024 * 1024,
  /** Things that wait in a task's state: questions, unread messages, open effects. */
  waitingMax: 500,
  lineageMax: 32,
  needsMax: 500,

  leaseMsDefault: 60_000,
  leaseMsMin: 100,
  leaseMsMax: 24 * 60 * 60 * 1000,

  attemptsMaxDefault: 5,
  reworkMaxDefault: 3,
  /** Hops in a row that change neither workspace, progress nor decisions. */
  idleHopsMax: 8,
  backoffMsBase: 500,
  backoffMsMax: 5 * 60 * 1000,

  pageDefault: 50,
  pageMax: 1000,
} as const;
