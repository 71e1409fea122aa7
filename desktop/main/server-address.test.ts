import { expect, test } from 'vitest';
import { readServerAddress } from './server-address.ts';

test.each([
  ['portal.example.org', 'https://portal.example.org/'],
  ['  https://portal.example.org/runsheet  ', 'https://portal.example.org/runsheet/'],
  ['https://portal.example.org/runsheet/activities/runstatus/5?x=1#y', 'https://portal.example.org/runsheet/'],
  ['portal.example.org:8443/login', 'https://portal.example.org:8443/'],
  ['http://localhost:8080', 'http://localhost:8080/'],
  ['http://[::1]:8080/', 'http://[::1]:8080/'],
])('%s is read as %s', (typed, address) => {
  expect(readServerAddress(typed)).toBe(address);
});

test.each([
  ['', 'Please enter'],
  ['   ', 'Please enter'],
  ['https://', 'is not an address'],
  ['a b', 'is not an address'],
  ['ftp://portal.example.org', 'must begin with https://'],
  ['javascript://portal.example.org', 'must begin with https://'],
  ['http://portal.example.org', 'Without encryption'],
  ['http://127.0.0.1.example.org', 'Without encryption'],
  ['https://name:secret@portal.example.org', 'user name or password'],
])('%j is refused: %s', (typed, text) => {
  expect(() => readServerAddress(typed)).toThrow(text);
});
