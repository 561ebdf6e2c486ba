/** Programs whose account met its usage limit, as any run of a store on this machine found: until then no run starts more there. */
export interface ExhaustedHere {
  /** By program, in milliseconds since 1970. */
  until(): ReadonlyMap<string, number>;
  note(program: string, until: number): void;
}
