import { describe, expect, it } from 'vitest';
import { cpuTimeMs } from '#test/support/cpu-time.ts';
import { defaultExpression, readTsqlHeader } from './tsql-header.ts';

const read = (sql: string): string[] | undefined =>
  readTsqlHeader(sql)?.map(
    ({ name, defaultText, isOutput, isReadOnly, isCursor }) =>
      `${name}${defaultText === null ? '' : `=${defaultText}`}${isOutput ? ' out' : ''}${isReadOnly ? ' readonly' : ''}${isCursor ? ' cursor' : ''}`,
  );

describe('the header of a T-SQL procedure', () => {
  it('distinguishes parameters with and without default, outputs and tables', () => {
    const sql = `CREATE PROCEDURE [dbo].[p] @a int, @b AS decimal(18, 4) = -1.50 OUTPUT, @c nvarchar(max) = N'it''s, ok' OUT,
      @d dbo.Lines READONLY, @e CURSOR VARYING OUTPUT, @f varchar(10) = hello, @g bit=1,@h int = NULL, @i varbinary(8) = 0xFF AS select @a`;
    expect(read(sql)).toEqual([
      'a',
      'b=-1.50 out',
      `c=N'it''s, ok' out`,
      'd readonly',
      'e out cursor',
      'f=hello',
      'g=1',
      'h=NULL',
      'i=0xFF',
    ]);
  });

  it('takes brackets around them, no parameters, numbered ones, options and parts of names', () => {
    expect(read('create or alter proc p as select 1')).toEqual([]);
    expect(read('alter procedure srv..p;2 @a int with recompile as select 1')).toEqual(['a']);
    expect(read('create proc dbo . p (@a int = 3, @b int) with execute as owner as select 1')).toEqual(['a=3', 'b']);
    expect(read('CREATE PROC p @a int FOR REPLICATION AS SELECT 1')).toEqual(['a']);
    expect(read('create proc "a "" @x int = 1 as" @b int = 2 as select 1')).toEqual(['b=2']);
    expect(read('create proc [a]] @x int = 1 as] @b int = 2 as select 1')).toEqual(['b=2']);
  });

  it('passes over comments, nested ones too, and what stands in texts', () => {
    const sql = `-- create proc q @z int = 1 as
      /* outer /* create procedure inner @y int as */ still */ create /* x */ procedure p -- name
      @a /* = 5 */ int -- = 6
      = /* /* the */ value */ 7 /* output */, @b varchar(30) = 'as -- /* @c int = 1' as begin return 1 end`;
    expect(read(sql)).toEqual(['a=7', `b='as -- /* @c int = 1'`]);
  });

  it('reads what is no such text as nothing', () => {
    for (const sql of [
      '',
      'create',
      'create proc',
      'select 1',
      'create procedure p @a int',
      'create function f() as',
      '/* create proc p as',
    ]) {
      expect(read(sql)).toBeUndefined();
    }
  });

  it('knows names of any letters, and a default that is called like a keyword', () => {
    expect(read('create proc p @größe$#_2 int = 1, @out varchar(9) = output output, @with int as select 1')).toEqual([
      'größe$#_2=1',
      'out=output out',
      'with',
    ]);
  });

  it('stays fast for texts that never end', () => {
    const took = cpuTimeMs(() => {
      readTsqlHeader(`create proc p @a int = ${'/*'.repeat(200_000)}`);
      readTsqlHeader(`create proc p @a varchar(10) = '${"''".repeat(500_000)}`);
    });
    expect(took).toBeLessThan(5000);
  });
});

describe('a default as an expression', () => {
  it('is a constant as it is written, a bare word as the text it stands for, and nothing else', () => {
    for (const constant of ['1', '-1.5', '+ 1e5', '$1.50', '0xAB', `'it''s'`, `N'x'`]) {
      expect(defaultExpression(constant)).toBe(constant);
    }
    expect(defaultExpression('NULL')).toBe('null');
    expect(defaultExpression('hello')).toBe(`N'hello'`);
    expect(defaultExpression(`[it's]`)).toBe(`N'it''s'`);
    for (const other of ['', '1 2', `1'x'`, `-'x'`, '@@spid', 'getdate()', '1; drop table t', `'a' + 'b'`]) {
      expect(defaultExpression(other)).toBeNull();
    }
  });
});
