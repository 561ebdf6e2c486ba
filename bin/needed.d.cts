declare const needed: {
  readonly nodes: readonly [string, string];
  readonly sqlite: string;
  readonly carriers: readonly [string, string];
  readonly carriersText: () => string;
  readonly isAtLeast: (version: string | undefined, min: string) => boolean;
  readonly isUsableNode: (node: string) => boolean;
  readonly unusableText: (node: string) => string;
};
export = needed;
