/**
 * Imports models from the {@code config.json} of Hugging Face repositories.
 *
 * <p>Each family is a resource in {@code families/}, which {@code index.json} lists. Its sections:
 *
 * <ul>
 *   <li>{@code like}: the family whose sections hold where this one does not say otherwise;
 *   <li>{@code architecture}: the class of its language model;
 *   <li>{@code keys}: under which keys its configurations say a value, the first that is there
 *       counts. Values are called as in a workload file; besides, {@code function} is the
 *       activation function, {@code attention_bias} and {@code mlp_bias} are biases that only hold
 *       together, {@code one_kv_head} switches multi-query attention, {@code dense_list} lists the
 *       layers without experts;
 *   <li>{@code defaults}: what its class has where a configuration does not say it. A size that has
 *       none follows from others;
 *   <li>{@code most}: the largest values that the engine takes;
 *   <li>{@code model}: what holds of all its models, as keys of the workload file;
 *   <li>{@code functions}: the activation functions that are its kind of feed-forward network, and
 *       what others would need;
 *   <li>{@code demands}: keys that must have one value, and what another would need;
 *   <li>{@code each_layer}: the key that must be 1, as layers with experts stand side by side;
 *   <li>{@code choice_bias}: the router has a bias for each expert where this key has this value;
 *   <li>{@code window}: whether a sliding window is used {@code unless it is switched off}, or only
 *       {@code if it is switched on};
 *   <li>{@code leaves_out_prediction}: its class leaves out the layers for multi-token prediction.
 * </ul>
 */
@NullMarked
package org.stage.plugin.huggingface;

import org.jspecify.annotations.NullMarked;
