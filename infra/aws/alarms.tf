# What the functions say, one line of JSON for each thing that they did, as metrics.
locals {
  metrics = merge(
    { for name in ["lapsed", "expired", "dead", "damaged", "rung"] : name => { line = "recovered", from = "recoverer", value = name } },
    { for name in ["offers", "oldestOfferSeconds", "held", "leasesLapsed", "deadTasks", "unheard", "mergeQueue"] : name => { line = "figures", from = "recoverer", value = name } },
    { bellMs = { line = "ring", from = "router", value = "ms" } },
  )
  queues = "AWS/SQS"
  own    = "Staffetta/${var.name}"
  alarms = {
    dead-letters  = { namespace = local.queues, metric = "ApproximateNumberOfMessagesVisible", over = 0, dimensions = { QueueName = aws_sqs_queue.dead.name }, text = "A ring was heard five times and nobody could take the work: staffetta dead" }
    rings-wait    = { namespace = local.queues, metric = "ApproximateAgeOfOldestMessage", over = 300, dimensions = { QueueName = aws_sqs_queue.in.name }, text = "Rings wait for the router for over five minutes." }
    router-fails  = { namespace = "AWS/Lambda", metric = "Errors", over = 0, dimensions = { FunctionName = aws_lambda_function.function["router"].function_name }, text = "The router failed." }
    recover-fails = { namespace = "AWS/Lambda", metric = "Errors", over = 0, dimensions = { FunctionName = aws_lambda_function.function["recoverer"].function_name }, text = "A recovery failed, or took longer than it may." }
    bell-slow     = { namespace = local.own, metric = "bellMs", over = 10000, dimensions = {}, text = "A ring took over ten seconds to reach those it is for." }
    offer-waits   = { namespace = local.own, metric = "oldestOfferSeconds", over = var.offer_wait_seconds, dimensions = {}, text = "Work has waited for long to be taken: are there workers in its lane?" }
    lapsed        = { namespace = local.own, metric = "leasesLapsed", over = 0, dimensions = {}, text = "A holder fell silent, and recovery has not ended its leg: staffetta ls --lapsed" }
    dead-tasks    = { namespace = local.own, metric = "deadTasks", over = 0, dimensions = {}, text = "The attempts of a task are used up: staffetta dead" }
    damaged       = { namespace = local.own, metric = "damaged", over = 0, dimensions = {}, text = "A task cannot be read: staffetta verify" }
  }
}

resource "aws_cloudwatch_log_metric_filter" "said" {
  for_each       = local.metrics
  name           = "${var.name}-${each.key}"
  log_group_name = aws_cloudwatch_log_group.function[each.value.from].name
  pattern        = "{ $.what = \"${each.value.line}\" }"
  metric_transformation {
    name      = each.key
    namespace = local.own
    value     = "$.${each.value.value}"
  }
}

resource "aws_cloudwatch_metric_alarm" "watch" {
  for_each            = local.alarms
  alarm_name          = "${var.name}-${each.key}"
  alarm_description   = each.value.text
  namespace           = each.value.namespace
  metric_name         = each.value.metric
  dimensions          = each.value.dimensions
  statistic           = "Maximum"
  period              = 300
  evaluation_periods  = 1
  comparison_operator = "GreaterThanThreshold"
  threshold           = each.value.over
  treat_missing_data  = "notBreaching"
  alarm_actions       = var.alarm_actions
}
