/**
 * Entry point `runsheet/client` for other programs. The calls are in `runsheet/contract/…`, such as `listActivities` in
 * `runsheet/contract/activities`.
 */
export { CallFailure, createClient, type CallInput, type Client, type ClientOptions } from './client.ts';
export { evaluate, type EvaluatedColumns, type EvaluateOptions } from './evaluate.ts';
export { InputFailure, readInputs, readOutputs, type GivenCell, type GivenInputs, type GivenValue } from './inputs.ts';
export { findActivity, startActivity, uploadInputFile, waitForRun, type EndedRun, type WaitOptions } from './runs.ts';
