/** Formats of sessions are private and change: what a version wrote that nobody tried here may be read only in part. */

export interface WrittenBy {
  readonly runtime: string;
  /** As the session says it; null where it does not. */
  readonly version: string | null;
  /** Versions whose sessions were read, written and gone on with in tests. */
  readonly proven: readonly string[];
}

/** Null where the version is proven, or is not said. */
export function unprovenWords({ runtime, version, proven }: WrittenBy): string | null {
  if (version === null || proven.includes(version)) return null;
  return `written by ${runtime} ${version}; reading is proven with ${proven.join(', ')}`;
}
