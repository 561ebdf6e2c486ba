declare const needed: {
  readonly node: string;
  readonly sqlite: string;
  readonly carriers: readonly [string, string];
};
export = needed;
