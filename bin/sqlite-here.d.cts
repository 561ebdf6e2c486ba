declare const here: {
  readonly sqliteHere: () => string | undefined;
  readonly withoutWarningOfSqlite: () => void;
};
export = here;
