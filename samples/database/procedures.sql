-- What the sample database can do. The login of the connection may read the tables and call these, and nothing else: what they write, they
-- write with the rights of their owner, who cannot sign in.
set local search_path = shop, pg_temp;

create function revenue_by_region(
  from_date date,
  to_date date,
  reporting_currency text default 'EUR',
  only_status order_status default null
)
returns table (month date, region text, orders bigint, revenue numeric(16, 2), share numeric(7, 4))
language plpgsql stable security definer set search_path = shop, pg_temp
as $$
begin
  if from_date > to_date then
    raise exception 'The first day, %, is after the last one, %', from_date, to_date using errcode = '22023';
  end if;
  if not exists (select from rates r where r.currency = reporting_currency) then
    raise exception 'There are no rates of the currency %', reporting_currency using errcode = '22023',
      hint = 'It is one of ' || (select string_agg(distinct r.currency, ', ' order by r.currency) from rates r);
  end if;
  return query
    with sums as (
      select date_trunc('month', o.ordered_on)::date as month, c.region, count(*) as orders,
        round(sum(o.amount / theirs.rate * ours.rate), 2) as revenue
      from orders o
      join customers c on c.customer_id = o.customer_id
      join rates theirs on theirs.currency = o.currency and theirs.rate_date = o.ordered_on
      join rates ours on ours.currency = reporting_currency and ours.rate_date = o.ordered_on
      where o.ordered_on between from_date and to_date
        and o.status <> 'Cancelled' and (only_status is null or o.status = only_status)
      group by 1, 2
    )
    select s.month, s.region, s.orders, s.revenue::numeric(16, 2),
      round(s.revenue / nullif(sum(s.revenue) over (partition by s.month), 0), 4)::numeric(7, 4)
    from sums s
    order by s.month, s.region;
end
$$;
comment on function revenue_by_region is 'Orders and revenue by month and region, in one currency at the rates of the day';

create type order_line as (
  customer_id integer,
  ordered_on date,
  product text,
  quantity integer,
  unit_price numeric(10, 2)
);

create procedure import_orders(
  lines order_line[],
  out imported integer,
  out rejected integer,
  out total_eur numeric(16, 2),
  reference text default null
)
language plpgsql security definer set search_path = shop, pg_temp
as $$
declare
  line order_line;
  customer customers;
  reason text;
  number integer := 0;
  day_rate numeric;
begin
  imported := 0;
  rejected := 0;
  total_eur := 0;
  foreach line in array coalesce(lines, '{}') loop
    number := number + 1;
    select * into customer from customers c where c.customer_id = line.customer_id;
    select r.rate into day_rate from rates r where r.currency = customer.currency and r.rate_date = line.ordered_on;
    reason := case
      when customer.customer_id is null then format('there is no customer %s', coalesce(line.customer_id::text, 'without a number'))
      when customer.is_blocked then format('%s gets no deliveries', customer.name)
      when day_rate is null then format('there is no rate of %s', coalesce(line.ordered_on::text, 'an order without a day'))
      when coalesce(trim(line.product), '') = '' then 'the product is missing'
      when coalesce(line.quantity, 0) <= 0 then 'the quantity must be more than 0'
      when coalesce(line.unit_price, -1) < 0 then 'the price must not be less than 0'
      when line.quantity * line.unit_price >= 1e12 then 'the amount is too large'
    end;
    if reason is not null then
      rejected := rejected + 1;
      raise notice 'Line % is rejected: %', number, reason;
      continue;
    end if;
    insert into orders (customer_id, ordered_on, product, quantity, unit_price, currency, import_reference)
    values (customer.customer_id, line.ordered_on, trim(line.product), line.quantity, line.unit_price, customer.currency, reference);
    imported := imported + 1;
    total_eur := total_eur + round(line.quantity * line.unit_price / day_rate, 2);
  end loop;
end
$$;
comment on procedure import_orders is 'Adds orders to those that are there, and says of each line that it leaves out why';

create procedure reconcile_payments(
  from_month date,
  to_month date,
  out checked bigint,
  out differing bigint,
  out open_eur numeric(16, 2),
  pause_seconds numeric default 1
)
language plpgsql security definer set search_path = shop, pg_temp
as $$
declare
  this_month date;
  last_month constant date := date_trunc('month', to_month)::date;
  found_orders bigint;
  found_differing bigint;
  found_open numeric;
begin
  if from_month > to_month then
    raise exception 'The first month, %, is after the last one, %', from_month, to_month using errcode = '22023';
  end if;
  if to_month - from_month > 3660 then
    raise exception 'Ten years are reconciled at once at most' using errcode = '22023';
  end if;
  checked := 0;
  differing := 0;
  open_eur := 0;
  this_month := date_trunc('month', from_month)::date;
  while this_month <= last_month loop
    select count(*), count(*) filter (where o.paid <> o.amount), coalesce(sum((o.amount - o.paid) / r.rate), 0)
    into found_orders, found_differing, found_open
    from orders o
    join rates r on r.currency = o.currency and r.rate_date = o.ordered_on
    where o.status = 'Paid' and o.ordered_on >= this_month and o.ordered_on < this_month + interval '1 month';
    checked := checked + found_orders;
    differing := differing + found_differing;
    open_eur := open_eur + round(found_open, 2);
    raise notice '%: % orders checked, % not paid in full', to_char(this_month, 'YYYY-MM'), found_orders, found_differing;
    -- So that there is something to watch, and time to cancel it.
    perform pg_sleep(least(greatest(pause_seconds, 0), 60));
    this_month := this_month + interval '1 month';
  end loop;
end
$$;
comment on procedure reconcile_payments is 'Compares what was ordered with what was paid, month by month, and takes its time';
