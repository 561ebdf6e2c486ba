/** A text with the verdict a careful reader gives. `true`: the rule should object. */
export interface Label {
  readonly text: string;
  readonly objects: boolean;
}

export function labels(objects: boolean, texts: readonly string[]): Label[] {
  return texts.map((text) => ({ text, objects }));
}
